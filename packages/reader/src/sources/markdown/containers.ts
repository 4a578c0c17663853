import type { MarkedExtension, TokenizerAndRendererExtension } from 'marked';
import { escapeHtml } from '../../html.ts';

const OPENING =
  /^(:{3,8})[ \t]*(note|info|tip|hint|success|important|warning|caution|danger|error)\b[ \t]*([^\n]{0,200})\n/i;

/** Creates the call-outs of one document (`:::tip Title`), as Docusaurus, VitePress and pandoc write them. */
export function createContainers(): MarkedExtension {
  /** The length of the longest rest of the document without a closing line, by its mark. */
  const unclosed = new Map<string, number>();

  function findClosing(source: string, marker: string): RegExpExecArray | null {
    if (source.length <= (unclosed.get(marker) ?? 0)) return null;
    const closing = new RegExp(`\n${marker}[ \t]*(?:\n|$)`).exec(source);
    if (closing === null) unclosed.set(marker, source.length);
    return closing;
  }

  const container: TokenizerAndRendererExtension = {
    name: 'container',
    level: 'block',
    tokenizer(source) {
      const [opening, marker = '', kind = '', title = ''] = OPENING.exec(source) ?? [];
      const closing = opening === undefined ? null : findClosing(source, marker);
      if (opening === undefined || closing === null) return undefined;
      const text = source.slice(opening.length, closing.index + 1);
      return {
        type: 'container',
        raw: source.slice(0, closing.index + closing[0].length),
        kind: kind.toLowerCase(),
        title: title.replace(/^\[(.*)\]$/, '$1').trim(),
        tokens: this.lexer.blockTokens(text, []),
      };
    },
    renderer({ kind, title, tokens = [] }) {
      const head = title === '' ? '' : `<p class="admonition-title">${escapeHtml(title)}</p>`;
      return `<div class="admonition ${kind}">${head}${this.parser.parse(tokens)}</div>\n`;
    },
  };
  return { extensions: [container] };
}
