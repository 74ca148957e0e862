import type { Diagnostic } from './types.js';

export type KqlErrorCode = 'SYNTAX' | 'SEMANTIC' | 'UNSUPPORTED' | 'LIMIT' | 'RUNTIME';

/** Everything a query can fail with. `diagnostics` has at least one entry; its first names the place. */
export class KqlError extends Error {
  readonly code: KqlErrorCode;
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: KqlErrorCode, diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map((d) => `${d.message} (${d.line}:${d.column})`).join('\n'), options);
    this.name = 'KqlError';
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** A stretch of a query text. */
export interface Place {
  readonly document: string;
  readonly start: number;
  readonly length: number;
}

/** The engine's own diagnostic codes; those of the language service begin with KS. */
export const ENGINE_DIAGNOSTICS = {
  UNSUPPORTED: 'KQL1',
  LIMIT: 'KQL2',
  RUNTIME: 'KQL3',
} as const;

export function diagnose(place: Place, code: string, message: string): Diagnostic {
  const { start, length, document } = place;
  return { code, message, severity: 'error', start, length, ...lineAndColumn(document, start) };
}

export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

function failAt(code: keyof typeof ENGINE_DIAGNOSTICS, place: Place, message: string): KqlError {
  return new KqlError(code, [diagnose(place, ENGINE_DIAGNOSTICS[code], message)]);
}

/** Valid Kusto that this engine does not evaluate. */
export function unsupported(place: Place, what: string): KqlError {
  return failAt('UNSUPPORTED', place, `Not supported here: ${what}`);
}

export function limitExceeded(place: Place, message: string): KqlError {
  return failAt('LIMIT', place, message);
}

export function runtimeError(place: Place, message: string): KqlError {
  return failAt('RUNTIME', place, message);
}
