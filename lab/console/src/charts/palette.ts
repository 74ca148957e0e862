/**
 * Colours that people with any colour vision tell apart: Okabe and Ito, "Color Universal Design" (2008). Where two
 * of them would be too faint on a ground, they are darkened or lightened, and lines differ by their dashes as well.
 */
export interface Palette {
  series: readonly string[];
  limit: string;
  text: string;
  grid: string;
  step: string;
}

const LIGHT: Palette = {
  series: ['#0072b2', '#d55e00', '#007a5a', '#b0578d', '#a66f00', '#2b86b8', '#6b6b00', '#555555', '#8a3fb0'],
  limit: '#111111',
  text: '#333333',
  grid: '#e4e4e4',
  step: '#b8b8b8',
};

const DARK: Palette = {
  series: ['#56b4e9', '#ff8a3d', '#2fd0a0', '#e39ac6', '#f0b429', '#8ecbf2', '#f0e442', '#c8c8c8', '#c9a2ff'],
  limit: '#ffffff',
  text: '#d6d6d6',
  grid: '#343a40',
  step: '#5c646c',
};

export const paletteOf = (theme: 'light' | 'dark'): Palette => (theme === 'dark' ? DARK : LIGHT);

const DASHES: readonly (readonly number[])[] = [[], [8, 3], [2, 3], [10, 3, 2, 3], [5, 5]];

/** The nth line's dashes; the first is solid. */
export const dashOf = (at: number): number[] => [...(DASHES[at % DASHES.length] as readonly number[])];

/** A line's dashes as a border has them, for legends. */
export function borderOf([first]: readonly number[]): string {
  if (first === undefined) return 'solid';
  return first <= 2 ? 'dotted' : 'dashed';
}

/** What charts are drawn on; the page's style has the same. */
export const GROUND = { light: '#ffffff', dark: '#14181c' } as const;
