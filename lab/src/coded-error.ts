/** An error with a row in its package's table: a stable code for programs, a message for people. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  /** @param detail names the input and says what is allowed */
  constructor(code: Code, detail: string, options?: { cause?: unknown }) {
    super(detail, options);
    this.name = new.target.name;
    this.code = code;
  }
}
