import type { Expression, Query } from './ast.js';
import type { Span, SqlErrorCode } from './errors.js';
import { SqlError } from './errors.js';
import { MAX_NESTING } from './limits.js';
import type { Token } from './tokenizer.js';
import { isReservedWord, tokenize } from './tokenizer.js';

/** The tokens of one query with a cursor, the nesting guard, and errors that name what they met. */
export class TokenStream {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;
  /** Heights of expression trees above 1, so that long left-deep chains are bounded like nested ones. */
  readonly #heights = new WeakMap<object, number>();
  readonly #parenthesized = new WeakSet<object>();

  constructor(text: string) {
    this.text = text;
    this.#tokens = tokenize(text);
  }

  get current(): Token {
    return this.#at(this.#index);
  }

  get next(): Token {
    return this.#at(this.#index + 1);
  }

  /** Where the last consumed token ended. */
  get previousEnd(): number {
    return this.#index === 0 ? 0 : this.#at(this.#index - 1).end;
  }

  advance(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  isKeyword(...names: readonly string[]): boolean {
    return this.current.kind === 'keyword' && names.includes(this.current.text);
  }

  isSymbol(...symbols: readonly string[]): boolean {
    return this.current.kind === 'symbol' && symbols.includes(this.current.text);
  }

  acceptKeyword(name: string): boolean {
    if (!this.isKeyword(name)) return false;
    this.#index++;
    return true;
  }

  acceptSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#index++;
    return true;
  }

  expectKeyword(name: string): Token {
    if (!this.isKeyword(name)) throw this.unexpected(name);
    return this.advance();
  }

  expectSymbol(symbol: string): Token {
    if (!this.isSymbol(symbol)) throw this.unexpected(`'${symbol}'`);
    return this.advance();
  }

  expectIdentifier(what: string): Token {
    if (this.current.kind === 'identifier') return this.advance();
    if (this.current.kind === 'keyword') {
      const word = this.#written(this.current);
      throw this.error('SYNTAX', `Syntax error, '${word}' is a reserved word and cannot be ${what}`);
    }
    throw this.unexpected(what);
  }

  /** The name after a dot. */
  expectPropertyName(): Token {
    const token = this.current;
    if (token.kind === 'keyword' && isReservedWord(token.text)) {
      const word = this.#written(token);
      throw this.error('SYNTAX', `Syntax error, '${word}' is a reserved word after a dot; write ["${word}"]`);
    }
    return this.expectIdentifier('a property name');
  }

  unexpected(expected: string): SqlError {
    const { current } = this;
    if (current.kind === 'end') {
      return this.error('SYNTAX', `Syntax error, expected ${expected} but the query ends`);
    }
    const near = this.#written(current);
    return this.error('SYNTAX', `Syntax error, incorrect syntax near '${near}', expected ${expected}`);
  }

  error(code: SqlErrorCode, message: string, span: Span = this.current): SqlError {
    return new SqlError({ code, message, text: this.text, span });
  }

  /** Runs a recursive rule one level deeper. */
  nested<T>(rule: () => T): T {
    if (this.#depth >= MAX_NESTING) throw this.#tooDeep(this.current);
    this.#depth++;
    try {
      return rule();
    } finally {
      this.#depth--;
    }
  }

  /** Registers a tree node above its children, and bounds its height. */
  grow<T extends Expression | Query>(node: T, children: readonly object[]): T {
    let height = 1;
    for (const child of children) height = Math.max(height, (this.#heights.get(child) ?? 1) + 1);
    if (height > MAX_NESTING) throw this.#tooDeep(node.span);
    if (height > 1) this.#heights.set(node, height);
    return node;
  }

  markParenthesized(expression: Expression): void {
    this.#parenthesized.add(expression);
  }

  isParenthesized(expression: Expression): boolean {
    return this.#parenthesized.has(expression);
  }

  #at(index: number): Token {
    return this.#tokens[Math.min(index, this.#tokens.length - 1)] as Token;
  }

  #written(token: Token): string {
    return this.text.slice(token.start, Math.min(token.end, token.start + 40));
  }

  #tooDeep(span: Span): SqlError {
    return this.error('INVALID', `The query nests more than ${MAX_NESTING} levels deep`, span);
  }
}
