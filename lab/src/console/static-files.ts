import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../stack/state-dir.js';
import { ConsoleError } from './errors.js';

/** The page as it was built; `npm run build` leaves it there. */
export const PAGE_FOLDER = path.join(PROJECT_ROOT, 'lab/console/dist');

const FILES: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/console.js': { file: 'console.js', type: 'text/javascript; charset=utf-8' },
  '/console.css': { file: 'console.css', type: 'text/css; charset=utf-8' },
  '/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
};

/** A file of the page; null for a path that is none. Throws INTERNAL when the page was not built. */
export function pageFile(pathname: string): { type: string; body: Buffer } | null {
  const found = FILES[pathname];
  if (found === undefined) return null;
  const file = path.join(PAGE_FOLDER, found.file);
  if (!existsSync(file)) {
    throw new ConsoleError('INTERNAL', `${file} is missing; run "npm run build" in the checkout`);
  }
  return { type: found.type, body: readFileSync(file) };
}
