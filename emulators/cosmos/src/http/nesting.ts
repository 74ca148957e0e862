import { CosmosError } from '../errors.js';

/** Published limit: JSON may be nested 128 levels deep. It also keeps recursive code off the end of the stack. */
const NESTING_LIMIT = 128;

/** Throws 400 for values that are nested too deeply. */
export function assertNesting(value: unknown, description: string): void {
  if (isDeeper(value, NESTING_LIMIT)) {
    throw new CosmosError('badRequest', `${description} is nested more than ${NESTING_LIMIT} levels deep.`);
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null && isDeeper(child, levels - 1)) return true;
  }
  return false;
}
