import { parseHTML } from 'linkedom/worker';
import { escapeHtml } from '../../html.ts';
import { toLine } from '../plain-text.ts';
import { isMatch, selectAll, selectFirst } from '../tree/select.ts';

/** The element in which Swagger UI builds the description of an API. */
const MARKER = /\bclass="[^"]{0,200}\bswagger-ui[\s"]/;
const MARKDOWN = '.renderedMarkdown';
const PARTS = '.opblock-tag, .opblock';

/**
 * Converts the description of an API that Swagger UI has built into an article with ordinary elements; null for other pages. The names
 * of its operations are buttons.
 */
export function convertSwaggerPage(html: string): string | null {
  if (!MARKER.test(html)) return null;
  try {
    const { document } = parseHTML(html);
    const parts = selectAll(document, PARTS);
    if (parts.length === 0) return null;
    const title = toLine(selectFirst(document, '.info .title')?.firstChild?.textContent) || document.title;
    const blocks = parts.map((part) => (isMatch(part, '.opblock') ? operationOf(part) : tagOf(part)));
    document.title = title;
    document.body.innerHTML = `<article><h1>${escapeHtml(title)}</h1>${markdownIn(selectFirst(document, '.info'))}${blocks.join('')}</article>`;
    return document.toString();
  } catch {
    // the library throws on some malformed pages
    return null;
  }
}

function tagOf(tag: Element): string {
  return `<h2>${textOf(selectFirst(tag, 'a'))}</h2>${markdownIn(tag)}`;
}

function operationOf(operation: Element): string {
  const [method, path, summary] = ['method', 'path', 'description'].map((name) =>
    textOf(selectFirst(operation, `.opblock-summary-${name}`)),
  );
  const parameters = selectAll(operation, '.parameters tr[data-param-name]').map((row) =>
    rowOf(
      ['.parameter__name', '.parameter__type', '.parameter__in']
        .map((name) => textOf(selectFirst(row, name)))
        .join(' '),
      row,
    ),
  );
  const responses = selectAll(operation, '.responses-table tr[data-code]').map((row) =>
    rowOf(textOf(selectFirst(row, '.response-col_status')), row),
  );
  return [
    `<h3><code>${method} ${path}</code></h3>`,
    summary && `<p>${summary}</p>`,
    markdownIn(selectFirst(operation, '.opblock-description')),
    tableOf(selectFirst(operation, '.opblock-section-header h4'), parameters),
    tableOf(selectFirst(operation, '.responses-wrapper h4'), responses),
  ].join('');
}

function rowOf(name: string, row: Element): string {
  return `<tr><td>${name}</td><td>${markdownIn(row)}</td></tr>`;
}

function tableOf(heading: Element | null, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `<h4>${textOf(heading)}</h4><table>${rows.join('')}</table>`;
}

function markdownIn(box: Element | null): string {
  return selectFirst(box, MARKDOWN)?.innerHTML ?? '';
}

function textOf(element: Element | null): string {
  return escapeHtml(toLine(element?.textContent));
}
