import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { GROUND, paletteOf } from '../../../lab/console/src/charts/palette.js';

const folder = new URL('../../../lab/console/', import.meta.url);
const built = (file: string) => readFileSync(new URL(`dist/${file}`, folder), 'utf8');

const LONGEST_SCRIPT_BYTES = 150_000;

beforeAll(() => {
  execFileSync(process.execPath, [fileURLToPath(new URL('build.js', folder))]);
});

describe('the page as it is built', () => {
  it(`has a script of at most ${LONGEST_SCRIPT_BYTES} bytes`, () => {
    const script = built('console.js');
    expect(script).toContain('/api/events');
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(LONGEST_SCRIPT_BYTES);
  });

  it('asks nobody else for anything', () => {
    const loaded = [built('index.html'), built('console.css')].flatMap((text) => [
      ...text.matchAll(/(?:src|href)="([^"]+)"|url\(([^)]+)\)|@import/g),
    ]);
    expect(loaded.map(([, attribute, url]) => attribute ?? url)).toEqual([
      '/icon.svg',
      '/console.css',
      '/console.js',
    ]);
    const addresses = [...built('console.js').matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address);
    // Names of XML vocabularies are no places.
    expect(addresses.filter((address) => address !== 'http://www.w3.org')).toEqual([]);
  });

  it('runs nothing that its policy would have to allow inline', () => {
    expect(built('index.html')).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/);
  });
});

/** WCAG 2.2: relative luminance. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (red as number) + 0.7152 * (green as number) + 0.0722 * (blue as number);
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('the colours of charts on the %s ground', (theme) => {
  const { series, limit, text } = paletteOf(theme);

  it.each([...series, limit, text])('%s stands out (at least 3:1)', (color) => {
    expect(contrast(color, GROUND[theme])).toBeGreaterThanOrEqual(3);
  });

  it('are nine different ones, for nine partitions', () => {
    expect(new Set(series).size).toBe(9);
  });
});
