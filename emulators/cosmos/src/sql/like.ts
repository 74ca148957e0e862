type Part =
  | { readonly kind: 'any-sequence' }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'one-of';
      readonly ranges: readonly (readonly [string, string])[];
      readonly negated: boolean;
    };

/**
 * Compiles a LIKE pattern: `%` any sequence, `_` any character, `[a-c]` a set, `[^a-c]` its complement.
 * Matching takes at most pattern length times text length steps, unlike a regular expression.
 *
 * @param escapeCharacter makes the next character literal; null: there is none.
 */
export function compileLike(pattern: string, escapeCharacter: string | null): (text: string) => boolean {
  const parts = parsePattern(pattern, escapeCharacter);
  return (text) => matches(parts, text);
}

function parsePattern(pattern: string, escapeCharacter: string | null): Part[] {
  const parts: Part[] = [];
  let position = 0;
  while (position < pattern.length) {
    const character = pattern.charAt(position);
    if (character === escapeCharacter && position + 1 < pattern.length) {
      parts.push(literal(pattern.charAt(position + 1)));
      position += 2;
      continue;
    }
    const set = character === '[' ? parseSet(pattern, position) : null;
    if (set) {
      parts.push(set.part);
      position = set.end;
      continue;
    }
    parts.push(wildcard(character) ?? literal(character));
    position++;
  }
  return parts;
}

function wildcard(character: string): Part | null {
  if (character === '%') return { kind: 'any-sequence' };
  return character === '_' ? { kind: 'any' } : null;
}

function literal(character: string): Part {
  return { kind: 'one-of', ranges: [[character, character]], negated: false };
}

/** Null if the bracket never closes: then it is a literal. */
function parseSet(pattern: string, start: number): { part: Part; end: number } | null {
  const negated = pattern.charAt(start + 1) === '^';
  const first = start + (negated ? 2 : 1);
  const close = pattern.indexOf(']', first + 1);
  if (close < 0) return null;
  const ranges: [string, string][] = [];
  for (let position = first; position < close; position++) {
    const low = pattern.charAt(position);
    if (pattern.charAt(position + 1) === '-' && position + 2 < close) {
      ranges.push([low, pattern.charAt(position + 2)]);
      position += 2;
    } else {
      ranges.push([low, low]);
    }
  }
  return { part: { kind: 'one-of', ranges, negated }, end: close + 1 };
}

/** Greedy matching that goes back to the last `%` only. */
function matches(parts: readonly Part[], text: string): boolean {
  let part = 0;
  let position = 0;
  let lastSequence = -1;
  let retryFrom = 0;
  while (position < text.length) {
    const current = parts[part];
    if (current?.kind === 'any-sequence') {
      lastSequence = part++;
      retryFrom = position;
    } else if (current !== undefined && matchesOne(current, text.charAt(position))) {
      part++;
      position++;
    } else if (lastSequence >= 0) {
      part = lastSequence + 1;
      position = ++retryFrom;
    } else {
      return false;
    }
  }
  while (parts[part]?.kind === 'any-sequence') part++;
  return part === parts.length;
}

function matchesOne(part: Part, character: string): boolean {
  if (part.kind !== 'one-of') return true;
  const inside = part.ranges.some(([low, high]) => character >= low && character <= high);
  return inside !== part.negated;
}
