const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that may stand in a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand between pieces of HTML: markup stays as it is, text is escaped, null is nothing. */
export type Part = Markup | string | null | readonly Part[];

/** HTML from a template: every text in it is escaped, for content and for quoted attributes alike. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = pieces.map((piece, i) => piece + textOf(parts[i] ?? null));
  return new Markup(text.join(''));
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part !== 'string') return part.map(textOf).join('');
  return part.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
