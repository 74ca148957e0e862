import { randomBytes } from 'node:crypto';

/** UTC time, scenario and four hex digits: `20261130T101530Z-throttled-3fa9`. Sorts by time. */
export function newRunId(
  scenario: string,
  { now = new Date(), random = () => randomBytes(2).toString('hex') } = {},
): string {
  const time = now
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z');
  return `${time}-${scenario}-${random()}`;
}
