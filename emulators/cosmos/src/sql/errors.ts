/** What kind of refusal a query met. The HTTP layer answers all of them with 400. */
export type SqlErrorCode = 'SYNTAX' | 'UNSUPPORTED' | 'INVALID' | 'PARAMETER';

/** A half-open range of offsets into the query text. */
export interface Span {
  /** 0-based offset of the first character. */
  readonly start: number;
  /** 0-based offset after the last character. */
  readonly end: number;
}

export interface SqlErrorOptions {
  readonly code: SqlErrorCode;
  readonly message: string;
  readonly text: string;
  readonly span: Span;
}

/**
 * The only error this folder throws for a query: it names the offending thing, and where it stands as `line:column` (1-based).
 */
export class SqlError extends Error {
  readonly code: SqlErrorCode;
  /** 0-based offset into the query text. */
  readonly position: number;
  /** 0-based offset after the offending text. */
  readonly end: number;

  constructor({ code, message, text, span }: SqlErrorOptions) {
    super(`${message} (at ${lineAndColumn(text, span.start)})`);
    this.name = 'SqlError';
    this.code = code;
    this.position = span.start;
    this.end = span.end;
  }
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  const line = before.split('\n').length;
  return `${line}:${offset - lastBreak}`;
}
