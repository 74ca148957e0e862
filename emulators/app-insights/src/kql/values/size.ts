/** Estimated bytes per element of an array or bag. */
const ELEMENT_BYTES = 16;

/** Levels of a dynamic value that are looked into. */
const MAX_DEPTH = 4;

/** Estimated bytes that keeping a value costs beside its slot in a row: texts and dynamic values. */
export function retainedBytes(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 0;
  let bytes = 0;
  const values = Array.isArray(value) ? value : Object.values(value);
  for (const element of values) bytes += ELEMENT_BYTES + retainedBytes(element, depth + 1);
  return bytes;
}
