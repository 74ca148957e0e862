/** Text that is HTML already; everything else is escaped when it is put into a template. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | readonly Content[];

/** HTML with every value escaped; `null` is nothing, arrays follow one another. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(
    strings.reduce((text, part, at) => `${text}${at === 0 ? '' : render(values[at - 1] ?? null)}${part}`, ''),
  );
}

function render(value: Content): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
