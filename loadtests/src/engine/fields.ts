import { parseDuration } from './duration.js';
import { LoadError } from './errors.js';

/** Reads the fields of one object of the script's options, with messages that name the field and what is allowed. */
export class Fields {
  readonly path: string;
  readonly #values: Record<string, unknown>;
  readonly #read = new Set<string>();

  constructor(path: string, value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new LoadError('LOAD_OPTION_INVALID', `${path} must be an object, not ${show(value)}`);
    }
    this.path = path;
    this.#values = value as Record<string, unknown>;
  }

  get entries(): [string, unknown][] {
    return Object.entries(this.#values);
  }

  has(name: string): boolean {
    return this.#take(name) !== undefined;
  }

  integer(name: string, { fallback, min = 0 }: { fallback?: number; min?: number } = {}): number {
    const value = this.#take(name) ?? fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min) return value;
    throw this.invalid(name, `must be a whole number of at least ${min}`, value);
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.#take(name) ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.invalid(name, 'must be true or false', value);
  }

  text(name: string, fallback: string, allowed?: readonly string[]): string {
    const value = this.#take(name) ?? fallback;
    if (typeof value === 'string' && (allowed === undefined || allowed.includes(value))) return value;
    throw this.invalid(
      name,
      allowed === undefined ? 'must be text' : `must be one of ${allowed.join(', ')}`,
      value,
    );
  }

  duration(name: string, { fallback, minMs = 0 }: { fallback?: number; minMs?: number } = {}): number {
    const value = this.#take(name) ?? fallback;
    const ms = parseDuration(value);
    if (ms !== undefined && ms >= minMs) return ms;
    const least = minMs > 0 ? ` of at least ${minMs} ms` : '';
    throw this.invalid(name, `must be a duration${least} like '1m30s', or a number of milliseconds`, value);
  }

  /** A map of texts; numbers and booleans are written as text. */
  map(name: string): Record<string, string> {
    const value = this.#take(name) ?? {};
    if (typeof value !== 'object' || Array.isArray(value))
      throw this.invalid(name, 'must be an object', value);
    return Object.fromEntries(
      Object.entries(value as Record<string, unknown>).map(([key, member]) => {
        if (!['string', 'number', 'boolean'].includes(typeof member)) {
          throw this.invalid(`${name}.${key}`, 'must be text, a number or a boolean', member);
        }
        return [key, String(member)];
      }),
    );
  }

  list(name: string): unknown[] | undefined {
    const value = this.#take(name);
    if (value === undefined || Array.isArray(value)) return value as unknown[] | undefined;
    throw this.invalid(name, 'must be a list', value);
  }

  raw(name: string): unknown {
    return this.#take(name);
  }

  /** Names that nothing has read. */
  get unread(): string[] {
    return Object.keys(this.#values).filter(
      (name) => this.#values[name] !== undefined && !this.#read.has(name),
    );
  }

  refuseUnread(): void {
    const [first] = this.unread;
    if (first === undefined) return;
    const allowed = [...this.#read].join(', ');
    throw new LoadError('LOAD_OPTION_INVALID', `${this.path}.${first} is not known; allowed are ${allowed}`);
  }

  invalid(name: string, rule: string, value: unknown): LoadError {
    return new LoadError('LOAD_OPTION_INVALID', `${this.path}.${name} ${rule}, not ${show(value)}`);
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return this.#values[name] ?? undefined;
  }
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
}
