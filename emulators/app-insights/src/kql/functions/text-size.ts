import { runtimeError } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';

/** Kusto cuts strings at 1 MB; here a function that would build a longer one fails. */
export const MAX_TEXT_LENGTH = 1_048_576;

export function checkedText(text: string, node: SyntaxNode): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw runtimeError(node, `A string of ${text.length} characters; at most ${MAX_TEXT_LENGTH} are allowed`);
}

/** Most elements of an array that a function or aggregate may build, as documented for Kusto. */
export const MAX_ARRAY_LENGTH = 1_048_576;
