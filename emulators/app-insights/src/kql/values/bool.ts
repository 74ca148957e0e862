/** `tobool()` of a text: true and false in any case, or a number; null for anything else. */
export function parseBool(text: string): boolean | null {
  switch (text) {
    case 'True':
    case 'true':
      return true;
    case 'False':
    case 'false':
      return false;
    default: {
      const folded = text.trim().toLowerCase();
      if (folded === 'true') return true;
      if (folded === 'false') return false;
      return /^[+-]?\d+$/.test(folded) ? Number(folded) !== 0 : null;
    }
  }
}
