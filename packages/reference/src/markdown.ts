import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { headingIdOf } from '../../reader/src/article/blocks/headings.ts';
import { html, Markup } from '../../reader/src/html.ts';
import { renderCode } from './highlight.ts';
import { EXAMPLE_ORIGIN } from './origin.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** A place that links can name: a heading, or a table row about a code. */
export interface Anchor {
  readonly id: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  readonly content: Markup;
  readonly headings: readonly Heading[];
  readonly rows: readonly Anchor[];
}

/** URLs of the reference by paths of files in the repository. */
export type PageUrls = ReadonlyMap<string, string>;

/** Renders GitHub Flavored Markdown. Links to files without a page become their text, and pictures are left out. */
export function renderMarkdown(markdown: string, file: string, urls: PageUrls): RenderedMarkdown {
  const headings: Heading[] = [];
  const rows: Anchor[] = [];
  const headingIds = new Set([...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => headingIdOf(text)));
  let title = '';
  const marked = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const inline = this.parser.parseInline(tokens);
        const plain = text.replaceAll('`', '');
        if (depth === 1) {
          title = plain;
          return '';
        }
        const id = headingIdOf(text);
        headings.push({ id, text: plain, depth });
        return renderHeading(depth, id, new Markup(inline)).text;
      },
      code: ({ text, lang = '' }: Tokens.Code) => renderCode(text, lang).text,
      link({ href, tokens }: Tokens.Link): string {
        const text = new Markup(this.parser.parseInline(tokens));
        const url = resolveLink(href, file, urls);
        return url === null ? text.text : html`<a href="${url}">${text}</a>`.text;
      },
      image: () => '',
      table({ header, rows: body }: Tokens.Table): string {
        const inlineOf = ({ tokens }: Tokens.TableCell) => {
          const inline = this.parser.parseInline(tokens);
          const isCrowded = header.length > 3;
          return new Markup(
            isCrowded ? inline.replace(/<code>[^<]*/g, (code) => code.replaceAll('_', '_<wbr>')) : inline,
          );
        };
        const labels = header.map(({ text }) => text.replaceAll('`', ''));
        const bodyRows = body.map((cells) => {
          const code = /^`([\w.-]+)`$/.exec(cells[0]?.text ?? '')?.[1];
          const id = code === undefined || headingIds.has(code) ? null : code;
          if (id !== null) rows.push({ id, text: id });
          const columns = cells.map((cell, i) => html`<td data-label="${labels[i] ?? ''}">${inlineOf(cell)}</td>`);
          return html`<tr${id === null ? null : html` id="${id}"`}>${columns}</tr>`;
        });
        const head = header.map((cell) => html`<th scope="col">${inlineOf(cell)}</th>`);
        return html`<table><thead><tr>${head}</tr></thead><tbody>${bodyRows}</tbody></table>`.text;
      },
    },
  });
  const content = new Markup(marked.parse(markdown) as string);
  return { title, content, headings, rows };
}

/** Renders a description of one or more paragraphs and lists. */
export function renderDescription(markdown: string): Markup {
  return new Markup(DESCRIPTIONS.parse(markdown) as string);
}

/** Renders a description without blocks. */
export function renderInline(markdown: string): Markup {
  return new Markup(DESCRIPTIONS.parseInline(markdown) as string);
}

const DESCRIPTIONS = new Marked({ gfm: true, async: false });

/** Renders a heading with a link to itself. */
export function renderHeading(depth: number, id: string, text: Markup | string): Markup {
  const tag = new Markup(`h${depth}`);
  const label = text instanceof Markup ? text.text.replace(/<[^>]*>/g, '') : text;
  return html`<${tag} id="${id}">${text} <a class="anchor" href="#${id}" aria-label="Link to ${new Markup(label)}">#</a></${tag}>`;
}

function resolveLink(href: string, file: string, urls: PageUrls): string | null {
  if (href.startsWith(EXAMPLE_ORIGIN)) return href.slice(EXAMPLE_ORIGIN.length);
  if (/^https?:/.test(href) || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const url = urls.get(posix.join(posix.dirname(file), path));
  if (url === undefined) return null;
  return anchor === undefined ? url : `${url}#${anchor}`;
}
