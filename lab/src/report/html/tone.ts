/**
 * Colours of charts. They stay apart for every kind of colour blindness (after Okabe and Ito, "Color Universal
 * Design"), have at least 3:1 against both backgrounds, and never carry meaning alone: lines differ in their dashes,
 * bars in their labels.
 */
export const TONES = {
  blue: { light: '#0068a8', dark: '#5ab4ee' },
  orange: { light: '#c24e00', dark: '#ff9b57' },
  green: { light: '#00805c', dark: '#35c99b' },
  purple: { light: '#a0447c', dark: '#e59fcb' },
  grey: { light: '#5f6670', dark: '#aab2bd' },
} as const;
export type Tone = keyof typeof TONES;

/** Dashes that go with a tone where lines lie in one chart; empty is a solid line. */
export const DASHES: Record<Tone, string> = {
  blue: '',
  orange: '7 3',
  green: '2 3',
  purple: '9 3 2 3',
  grey: '4 4',
};
