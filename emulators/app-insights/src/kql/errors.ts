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
