/**
 * Kusto's `has` family looks for terms: maximal runs of letters and digits. A needle matches where its ends are ends of terms; an end that
 * is itself no letter or digit needs no boundary.
 */
export interface TermMatch {
  /** The match must begin where a term begins. */
  readonly atStart: boolean;
  /** The match must end where a term ends. */
  readonly atEnd: boolean;
}

export function findTerm(text: string, needle: string, match: TermMatch): boolean {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const startOk = !match.atStart || at === 0 || isBoundary(text, at);
    const endOk = !match.atEnd || end === text.length || isBoundary(text, end);
    if (startOk && endOk) return true;
  }
  return false;
}

/** Whether the characters before and at `index` do not belong to one term. */
function isBoundary(text: string, index: number): boolean {
  return !(isTermCharacter(text, index - 1) && isTermCharacter(text, index));
}

function isTermCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128)
    return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return /[\p{L}\p{N}]/u.test(text.charAt(index));
}
