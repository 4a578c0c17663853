import type { MarkedExtension, Token, TokenizerExtension, Tokens } from 'marked';
import { escapeHtml } from '../../html.ts';

const DEFINITION = /^\[\^([^\]\s]{1,100})\]:[ \t]*((?:[^\n]*)(?:\n(?:[ \t]{2,}[^\n]*|(?=\n[ \t]{2,})))*)(?:\n|$)/;
const REFERENCE = /^\[\^([^\]\s]{1,100})\]/;
/** A note at its reference. */
const INLINE_NOTE = /^\^\[((?:\\.|[^[\]\\]|\[[^[\]]*\]){1,2000})\]/s;

export interface Footnotes {
  readonly extension: MarkedExtension;
  /** Renders the notes that the text refers to, in the order of their first references. */
  render(parse: (tokens: Token[]) => string): string;
}

/** Creates the footnotes of one document (`[^1]` and `[^1]: text`, or `^[text]`), as GitHub and pandoc write them. */
export function createFootnotes(): Footnotes {
  const definitions = new Map<string, Token[]>();
  /** The references by label, in the order of the first ones. */
  const references = new Map<string, { readonly number: number; count: number }>();

  const definition: TokenizerExtension = {
    name: 'footnoteDefinition',
    level: 'block',
    tokenizer(source) {
      const [raw, label = '', text = ''] = DEFINITION.exec(source) ?? [];
      if (raw === undefined) return undefined;
      const tokens = this.lexer.blockTokens(text.replace(/^[ \t]{2,4}/gm, ''), []);
      if (!definitions.has(label)) definitions.set(label, tokens);
      return { type: 'footnoteDefinition', raw };
    },
  };
  const reference: TokenizerExtension = {
    name: 'footnoteReference',
    level: 'inline',
    tokenizer(source) {
      const [raw, label = ''] = REFERENCE.exec(source) ?? [];
      return raw !== undefined && definitions.has(label) ? { type: 'footnoteReference', raw, label } : undefined;
    },
  };

  const inlineNote: TokenizerExtension = {
    name: 'inlineNote',
    level: 'inline',
    tokenizer(source) {
      const [raw, text = ''] = INLINE_NOTE.exec(source) ?? [];
      if (raw === undefined || text.trim() === '') return undefined;
      // a label of the document has no blank
      const label = `inline note ${definitions.size}`;
      definitions.set(label, [{ type: 'paragraph', raw, text, tokens: this.lexer.inlineTokens(text) }]);
      return { type: 'inlineNote', raw, label };
    },
  };

  function renderReference({ label }: Tokens.Generic): string {
    const reference = references.get(label) ?? { number: references.size + 1, count: 0 };
    references.set(label, reference);
    const { number } = reference;
    const count = ++reference.count;
    const id = count === 1 ? `fnref-${number}` : `fnref-${number}-${count}`;
    return `<sup id="${id}"><a href="#fn-${number}">${number}</a></sup>`;
  }

  function renderNote(number: number, label: string, parse: (tokens: Token[]) => string): string {
    const text = parse(definitions.get(label) ?? []).trimEnd();
    const back = `<a href="#fnref-${number}" aria-label="${escapeHtml(`Back to note ${number}`)}">↩</a>`;
    const content = text.endsWith('</p>') ? `${text.slice(0, -4)} ${back}</p>` : `${text}<p>${back}</p>`;
    return `<li id="fn-${number}">${content}</li>`;
  }

  return {
    extension: {
      extensions: [
        { ...definition, renderer: () => '' },
        { ...reference, renderer: renderReference },
        { ...inlineNote, renderer: renderReference },
      ],
    },
    render(parse) {
      const notes: string[] = [];
      // notes may refer to further notes
      for (const label of references.keys()) notes.push(renderNote(notes.length + 1, label, parse));
      return notes.length === 0 ? '' : `<hr><section class="footnotes"><ol>${notes.join('')}</ol></section>`;
    },
  };
}
