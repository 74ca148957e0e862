import type { IngestionLimits } from '../limits.js';
import { ItemRejection } from './envelope.js';
import { shown } from './fields.js';

export type PropertyLimits = Pick<
  IngestionLimits,
  'maxProperties' | 'maxItemCharacters' | 'maxNameCharacters' | 'maxValueCharacters'
>;

/** The column's value: an object of texts, or null when there is none. */
export type Properties = Record<string, string> | null;

/**
 * `customDimensions` from an item's properties. The parsed object itself is used when nothing has to change, which is the rule;
 * values that are not text become text, as in the service.
 */
export function properties(value: unknown, limits: PropertyLimits): Properties {
  const source = objectOf(value, 'properties');
  if (source === null) return null;
  let count = 0;
  let characters = 0;
  let changed = false;
  for (const name in source) {
    const entry = source[name];
    count += 1;
    characters += name.length;
    if (typeof entry === 'string' && entry.length <= limits.maxValueCharacters) characters += entry.length;
    else changed = true;
    if (name.length > limits.maxNameCharacters) changed = true;
  }
  checkSize(count, characters, limits);
  if (count === 0) return null;
  return changed ? rewritten(source, limits) : (source as Record<string, string>);
}

function rewritten(source: Record<string, unknown>, limits: PropertyLimits): Properties {
  const result: Record<string, string> = {};
  let characters = 0;
  for (const [name, entry] of Object.entries(source)) {
    if (entry === undefined || entry === null) continue;
    if (name.length > limits.maxNameCharacters) {
      throw new ItemRejection(
        `property name ${shown(name)} has ${name.length} characters; at most ${limits.maxNameCharacters} are allowed`,
      );
    }
    const value = propertyText(entry, name).slice(0, limits.maxValueCharacters);
    characters += name.length + value.length;
    result[name] = value;
  }
  checkSize(0, characters, limits);
  return Object.keys(result).length === 0 ? null : result;
}

function propertyText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new ItemRejection(`property ${shown(name)} is nested too deep: ${(cause as Error).message}`);
  }
}

/** `customMeasurements` from an item's measurements: an object of numbers, or null when there is none. */
export function measurements(value: unknown, limits: PropertyLimits): Record<string, number> | null {
  const source = objectOf(value, 'measurements');
  if (source === null) return null;
  const names = Object.keys(source);
  checkSize(names.length, 0, limits);
  for (const name of names) {
    if (typeof source[name] !== 'number') {
      throw new ItemRejection(`measurement ${shown(name)} must be a number, got ${shown(source[name])}`);
    }
  }
  return names.length === 0 ? null : (source as Record<string, number>);
}

function objectOf(value: unknown, field: string): Record<string, unknown> | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ItemRejection(
      `field '${field}' must be an object, got ${Array.isArray(value) ? 'an array' : shown(value)}`,
    );
  }
  return value as Record<string, unknown>;
}

function checkSize(count: number, characters: number, limits: PropertyLimits): void {
  if (count > limits.maxProperties) {
    throw new ItemRejection(`the item has ${count} properties; at most ${limits.maxProperties} are allowed`);
  }
  if (characters > limits.maxItemCharacters) {
    throw new ItemRejection(
      `the item's properties have ${characters} characters; at most ${limits.maxItemCharacters} are allowed`,
      413,
    );
  }
}
