import { BOTTLENECKS, type BottleneckName, FIX_NAMES, FIXES, type FixName } from '../scenarios/index.js';
import { WorkshopError } from './errors.js';

/** What a participant says about a run. */
export interface Answer {
  bottleneck: BottleneckName;
  /** The numbers asked for, in the order of the exercise; those not given yet are missing at the end. */
  evidence: readonly number[];
  fix: FixName;
}

/** An answer as it was typed. */
export interface GivenAnswer {
  bottleneck: string;
  evidence: readonly string[];
  fix: string;
}

export function parseBottleneck(text: string): BottleneckName {
  const found = BOTTLENECKS.find((name) => name === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw incomplete(`no bottleneck "${text}"; known: ${BOTTLENECKS.join(', ')}`);
}

/** By its name, or by the knob that makes it. */
export function parseFix(text: string): FixName {
  const given = text.trim();
  const found =
    FIX_NAMES.find((name) => name === given.toLowerCase()) ??
    FIX_NAMES.find((name) => FIXES[name].knob === given);
  if (found !== undefined) return found;
  const known = FIX_NAMES.map((name) => `${name} (${FIXES[name].text})`).join(', ');
  throw incomplete(`no fix "${text}"; known: ${known}`);
}

/** A number as people write it: `14.2`, `14,2`, `14 %`, `1,200`. */
export function parseNumber(text: string): number {
  const bare = text.trim().replace(/\s*[%a-zA-Z/]+$/, '');
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare.replace(',', '.');
  if (!/^-?\d+(\.\d+)?$/.test(plain)) {
    throw incomplete(`"${text}" is not a number; give one such as 14.2, without words`);
  }
  return Number(plain);
}

/** Throws ANSWER_INCOMPLETE with the first part that is wrong. */
export function parseAnswer(given: GivenAnswer, askedCount: number): Answer {
  const bottleneck = parseBottleneck(given.bottleneck);
  const evidence = given.evidence.map(parseNumber);
  if (evidence.length > askedCount) {
    throw incomplete(
      `--evidence takes ${askedCount === 1 ? 'one number' : `${askedCount} numbers`} here, not ${evidence.length}`,
    );
  }
  return { bottleneck, evidence, fix: parseFix(given.fix) };
}

function incomplete(message: string): WorkshopError {
  return new WorkshopError('ANSWER_INCOMPLETE', message);
}
