import { EmulatorError } from '../errors.js';
import type { IngestionLimits } from '../limits.js';

/** Stands in the list of items where a line is not JSON. */
export class UnreadableLine {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Reads a track body: a JSON array of envelopes, one envelope, or one envelope per line. Throws `EmulatorError` when nothing
 * of it can be read; a bad line between good ones becomes an `UnreadableLine`.
 */
export function parseItems(body: Buffer, limits: IngestionLimits): unknown[] {
  checkNesting(body, limits.maxNesting);
  const text = body.toString('utf8');
  const whole = tryParse(text);
  const items = whole instanceof UnreadableLine ? itemsOfLines(text, whole) : listOf(whole);
  if (items.length > limits.maxItemsPerRequest) {
    throw new EmulatorError(
      'TOO_MANY_ITEMS',
      `${items.length} items, at most ${limits.maxItemsPerRequest} are allowed`,
    );
  }
  return items;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function itemsOfLines(text: string, whole: UnreadableLine): unknown[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new EmulatorError('EMPTY_BODY');
  const items = lines.length === 1 ? [whole] : lines.map(tryParse);
  if (items.every((item) => item instanceof UnreadableLine))
    throw new EmulatorError('BAD_JSON', whole.reason);
  return items;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new UnreadableLine((error as SyntaxError).message);
  }
}

/**
 * A body as one line of JSON for the log: as it came where that is possible, as writing items anew costs more than all the rest.
 * Raw line breaks can only stand between tokens of valid JSON.
 */
export function logLine(body: Buffer | null, items: readonly unknown[]): Buffer {
  if (body !== null && body[0] === BRACKET) {
    const oneLine = !body.includes('\n') && !body.includes('\r');
    return oneLine ? body : Buffer.from(body.toString('utf8').replace(/[\r\n]+/g, ' '));
  }
  return Buffer.from(JSON.stringify(items.filter((item) => !(item instanceof UnreadableLine))));
}

const BRACKET = '['.charCodeAt(0);

/**
 * Refuses a run of opening brackets before it costs memory: `[[[[...` parses into 50 times its size. Nesting with content between
 * the brackets is bounded by the body limit, and where it reaches a row, by the mapping.
 */
function checkNesting(body: Buffer, maxNesting: number): void {
  for (const bracket of ['[', '{"":', '{"a":']) {
    if (body.includes(bracket.repeat(maxNesting + 1))) {
      throw new EmulatorError('TOO_NESTED', `at most ${maxNesting} levels are allowed`);
    }
  }
}
