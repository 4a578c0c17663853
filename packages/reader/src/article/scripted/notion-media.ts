import { escapeHtml } from '../../html.ts';
import { fallbackTitleOf } from '../../page-url.ts';
import { toLine } from '../plain-text.ts';
import { selectAll, selectClosest, selectFirst } from '../tree/select.ts';
import { inlineOf, TEXT } from './notion-text.ts';

/** Converts code. The highlighter in it may have the class of a block, too. */
export function codeOf(block: Element): string {
  const text = selectFirst(block, '[data-content-editable-leaf]') ?? selectFirst(block, `${TEXT}, code, pre`);
  const language = selectAll(block, '[role="button"]').map(({ textContent }) => textContent.trim())[0];
  const name = /^[\w+#. -]{1,30}$/.test(language ?? '') ? language?.toLowerCase().replaceAll(' ', '-') : undefined;
  const attribute = name && name !== 'plain-text' && name !== 'copy' ? ` class="language-${name}"` : '';
  const caption = captionOf(block, text);
  return `<pre><code${attribute}>${escapeHtml(text?.textContent ?? '')}</code></pre>${caption && `<p>${caption}</p>`}`;
}

export function figureOf(block: Element): string {
  const image = selectFirst(block, 'img');
  if (!image) return '';
  const alt = escapeHtml(image.getAttribute('alt') ?? '');
  const caption = captionOf(block);
  const picture = `<img src="${escapeHtml(image.getAttribute('src') ?? '')}" alt="${alt}">`;
  return `<figure>${picture}${caption && `<figcaption>${caption}</figcaption>`}</figure>`;
}

export function mediaOf(block: Element, name: 'audio' | 'video'): string {
  const source = selectFirst(block, `${name}[src], ${name} source[src]`)?.getAttribute('src');
  const media = `<${name} src="${escapeHtml(source ?? '')}" controls></${name}>`;
  return source ? withCaption(media, block) : frameOf(block);
}

export function frameOf(block: Element): string {
  const source = selectFirst(block, 'iframe[src]')?.getAttribute('src');
  return source ? withCaption(`<iframe src="${escapeHtml(source)}"></iframe>`, block) : linkCardOf(block);
}

/** Converts the link of a page: its name, without its icon. */
export function linkOf(block: Element): string {
  const link = selectFirst(block, 'a[href]');
  if (!link) return '';
  for (const icon of selectAll(link, '.notion-record-icon')) icon.remove();
  const href = link.getAttribute('href') ?? '';
  const name = toLine(link.textContent) || href;
  return `<p><a href="${escapeHtml(href)}">${escapeHtml(name)}</a></p>`;
}

/** Converts a preview of a linked page: its title as a link, and its description. */
export function linkCardOf(block: Element): string {
  const link = selectFirst(block, 'a[href]');
  if (!link) return '';
  const href = link.getAttribute('href') ?? '';
  const texts = selectAll(link, 'div, span')
    .filter((element) => element.childElementCount === 0 && element.textContent.trim())
    .map((element) => element.textContent.trim());
  const [title = link.textContent.trim() || href, ...rest] = texts;
  const description = rest.filter((text) => text !== href)[0];
  const more = description === undefined ? '' : `<br>${escapeHtml(description)}`;
  return withCaption(`<p><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>${more}</p>`, block);
}

/** Links to the file in a viewer, by its name. */
export function viewerLinkOf(block: Element): string {
  const viewer = selectFirst(block, 'iframe[src], embed[src], object[data]');
  const source = viewer?.getAttribute('src') ?? viewer?.getAttribute('data') ?? '';
  // the reader resolves it: only the name is read here
  const url = URL.parse(source, 'https://notion.so/');
  if (url?.protocol !== 'https:') return '';
  const file = URL.parse(url.searchParams.get('file') ?? '');
  const name = fallbackTitleOf((file ?? url).href);
  return withCaption(`<p><a href="${escapeHtml(file?.href ?? source)}">${escapeHtml(name)}</a></p>`, block);
}

/** Converts a table, in which the cells of a head differ by their style. */
export function simpleTableOf(block: Element): string {
  const rows = selectAll(block, 'tr').map((row) => selectAll(row, 'td, th'));
  const hasHeadRow = rows.length > 1 && (rows[0]?.every(isHead) ?? false);
  const hasHeadColumn = rows.every(([first, ...others]) => first !== undefined && others.length > 0 && isHead(first));
  const lines = rows.map((cells, i) =>
    cells.map((cell, j) => {
      const text = inlineOf(selectFirst(cell, TEXT) ?? cell);
      if (i === 0 && hasHeadRow) return `<th>${text}</th>`;
      return j === 0 && hasHeadColumn ? `<th scope="row">${text}</th>` : `<td>${text}</td>`;
    }),
  );
  return `<table>${lines.map((cells) => `<tr>${cells.join('')}</tr>`).join('')}</table>`;
}

function isHead(cell: Element): boolean {
  const styles = [cell, ...selectAll(cell, '[style]')].map((element) => element.getAttribute('style') ?? '');
  return cell.localName === 'th' || /font-weight:\s*[5-7]00/.test(styles.join(';'));
}

function withCaption(html: string, block: Element): string {
  const caption = captionOf(block);
  return caption === '' ? html : `<figure>${html}<figcaption>${caption}</figcaption></figure>`;
}

/** Converts the text below a picture, a film or the like. */
function captionOf(block: Element, text: Element | null = null): string {
  const isCaption = (one: Element) =>
    one !== text &&
    !text?.contains(one) &&
    !one.contains(text) &&
    selectClosest(one, 'a') === null &&
    !selectFirst(one, TEXT);
  const caption = selectAll(block, TEXT).find(isCaption);
  return caption ? inlineOf(caption) : '';
}
