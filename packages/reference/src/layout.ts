import { html, type Markup } from '../../reader/src/html.ts';
import type { Heading } from './markdown.ts';
import type { Group, Page } from './page.ts';
import { markdownUrlOf } from './page-markdown.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231557c0'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E";

/** On narrow screens they are in the menu. */
const SERVICE_LINKS = html`<a href="/">Console</a><a href="/graphql">GraphiQL</a><a href="/openapi.json">OpenAPI</a>`;

export interface Assets {
  readonly main: Script;
  /** Loaded when the field of the search gets the focus. */
  readonly search: Script;
  readonly styles: string;
}

interface Script {
  readonly url: string;
  /** The content security policy allows only scripts with the hashes that the document names. */
  readonly hash: string;
}

interface Options {
  readonly page: Page;
  readonly groups: readonly Group[];
  readonly assets: Assets;
  readonly version: string;
}

/** Renders the whole document of a page. All of it can be read without scripts. */
export function renderDocument({ page, groups, assets, version }: Options): string {
  const group = groups.find(({ pages }) => pages.includes(page));
  const title = page.url === '/docs' ? 'Embed Gateway · Reference' : `${page.title} · Embed Gateway`;
  const hasContents = page.headings.length > 1;
  const frame = page.isWide ? 'wide' : hasContents ? 'with-contents' : '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="alternate" type="text/markdown" href="${markdownUrlOf(page)}">
<link rel="stylesheet" href="${assets.styles}">
<script src="${assets.main.url}" integrity="${assets.main.hash}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<button type="button" class="menu" popovertarget="navigation">Menu</button>
<a class="brand" href="/docs"><svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4"/><path d="M4 5h8M4 8h8M4 11h5"/></svg><span>Embed Gateway</span></a>
<search class="search" data-src="${assets.search.url}" data-integrity="${assets.search.hash}"><input type="search" placeholder="Search" aria-label="Search the reference" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><ul hidden></ul></search>
<nav aria-label="Service">${SERVICE_LINKS}</nav>
</header>
<div class="frame ${frame}">
<nav id="navigation" popover aria-label="Reference"><p class="service-links">${SERVICE_LINKS}</p>${groups.map((one) => renderGroup(one, one === group, page))}
<p class="version">Version ${version}</p></nav>
<main id="content" tabindex="-1">
<noscript><p class="note">The examples use http://127.0.0.1:4000. Write the address of this service in its place.</p></noscript>
${group ? html`<p class="page-tools"><a href="${markdownUrlOf(page)}">Markdown</a></p>` : null}
<article>${page.content}</article>
${group ? renderNeighbours(page, groups) : null}
</main>
${hasContents && !page.isWide ? renderContents(page.headings) : null}
</div>
</body>
</html>
`.text;
}

function renderGroup({ title, pages }: Group, isCurrent: boolean, current: Page): Markup {
  const links = pages.map((page) => {
    const { url, label = page.title, badge } = page;
    return html`<li><a href="${url}"${page === current ? html` aria-current="page"` : null}>${
      badge ? html`<span class="badge" data-method="${badge}">${BADGES[badge] ?? badge}</span>` : null
    }${label}</a></li>`;
  });
  return html`<details${isCurrent || title !== 'Operate' ? html` open` : null}><summary>${title}</summary><ul>${links}</ul></details>`;
}

const BADGES: Readonly<Record<string, string>> = {
  DELETE: 'DEL',
  query: 'qry',
  mutation: 'mut',
  subscription: 'sub',
};

function renderContents(headings: readonly Heading[]): Markup {
  const shown = headings.filter(({ depth }) => depth <= 3);
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${shown.map(
    ({ id, text, depth }) => html`<li class="depth-${String(depth)}"><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`;
}

function renderNeighbours(page: Page, groups: readonly Group[]): Markup {
  const pages = groups.flatMap((group) => group.pages);
  const index = pages.indexOf(page);
  const link = (neighbour: Page | undefined, rel: string, text: string) =>
    neighbour
      ? html`<a rel="${rel}" href="${neighbour.url}"><span>${text}</span>${neighbour.label ?? neighbour.title}</a>`
      : null;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(pages[index - 1], 'prev', 'Previous')}${link(pages[index + 1], 'next', 'Next')}</nav>`;
}
