import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../stack/state-dir.js';
import { TelemetryError } from './errors.js';
import { type LibraryQuery, parseQueryFile } from './query-file.js';

const LIBRARY = path.join(PROJECT_ROOT, 'lab/queries');
const ENDING = '.kql';

/** All queries of the library, by name. */
export function loadQueries(folder = LIBRARY): LibraryQuery[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .sort()
    .map((file) =>
      parseQueryFile(file.slice(0, -ENDING.length), readFileSync(path.join(folder, file), 'utf8')),
    );
}

/** What a user gave, resolved: a query of the library keeps its name and parameters. */
export interface GivenQuery {
  /** Null for a text. */
  name: string | null;
  text: string;
  parameters: LibraryQuery['parameters'];
}

/** A name of the library, a file that ends with .kql, or else the query itself. Throws QUERY_UNKNOWN. */
export function resolveQuery(given: string, folder = LIBRARY): GivenQuery {
  const known = loadQueries(folder);
  const found = known.find((query) => query.name === given || `${query.name}${ENDING}` === given);
  if (found !== undefined) return found;
  if (given.trim().endsWith(ENDING))
    return { name: path.basename(given, ENDING), text: readQuery(given), parameters: [] };
  // One word with a hyphen is a misspelt name; a table's name alone is a query.
  if (/^[\w]+(-[\w]+)+$/.test(given)) {
    throw new TelemetryError(
      'QUERY_UNKNOWN',
      `no query "${given}"; there are ${known.map((query) => query.name).join(', ')}`,
    );
  }
  return { name: null, text: given, parameters: [] };
}

function readQuery(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new TelemetryError('QUERY_UNKNOWN', `${file}: ${(cause as Error).message}`, { cause });
  }
}
