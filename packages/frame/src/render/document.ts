import type { Heading } from '../../../reader/src/article-forms.ts';
import { html, type Markup } from '../../../reader/src/html.ts';
import { COLOR_SCHEMES, type ColourMode } from '../snippet.ts';
import {
  type ClientCode,
  choiceScript,
  frameScript,
  liveScript,
  modeScript,
  playerScript,
  previewScript,
  readerScript,
  stylesFor,
  tableScript,
  viewScript,
  wordScript,
} from './client-code.ts';
import { renderFontHints, renderFontLink, type WebFont } from './web-font.ts';

export interface FramePage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

interface FrameDocument {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly mode: ColourMode;
  readonly webFont: WebFont | null;
  readonly title: string;
  readonly metadata: Markup;
  readonly body: Markup;
  /** The words in the body, in all languages. */
  readonly words?: Markup;
  /** The body has the reader's controls. */
  readonly hasReader?: boolean;
  /** The body has tables with tools. */
  readonly hasTables?: boolean;
  /** For the editor around a preview. */
  readonly headings?: readonly Heading[];
  /** The mark of the version of a page that takes new ones while it is open. */
  readonly tag?: string | null;
  /** Reports that the page was on a screen. */
  readonly isCounted?: boolean;
  /** Null for the usual look. */
  readonly look?: ClientCode | null;
  /** All pictures in the body are on the host of the page. */
  readonly hasLocalPictures?: boolean;
  /** The hosts of the sites that may show the page. Null, the default, for all. */
  readonly allowedSites?: readonly string[] | null;
  /** Origins of the players in the body. */
  readonly frameOrigins?: readonly string[];
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231557c0'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E";

/**
 * Renders a whole page. The colour mode is in its first bytes, so that nothing is painted in the wrong colours. Images are
 * fetched without a referrer, because some sites reject foreign ones.
 */
export function renderDocument(document: FrameDocument): FramePage {
  const { language, direction, mode, webFont, title, metadata, body, isCounted, hasReader, hasTables } = document;
  const { words = null, tag = null, headings = null, look, frameOrigins = [] } = document;
  const early = present([mode === 'USER_DEFINED' && modeScript, words && wordScript, hasReader && choiceScript]);
  const late = present([
    tag !== null && liveScript,
    hasTables && tableScript,
    hasReader && readerScript,
    frameScript,
    frameOrigins.length > 0 && playerScript,
    headings && previewScript,
    isCounted && viewScript,
  ]);
  const styles = present([stylesFor(body), look]);
  const text = html`<!doctype html>
<html lang="${language}" dir="${direction}" data-mode="${mode.toLowerCase()}"${tag && html` data-tag="${tag}"`}>
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="${COLOR_SCHEMES[mode]}">
${styles.map((style) => html`<style>${style.markup}</style>\n`)}${words && html`${words}\n`}${early.map((script) => html`<script>${script.markup}</script>\n`)}
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${ICON}">
${metadata}
${webFont && renderFontHints(webFont)}
</head>
<body>
<div id="embed"${headings && html` data-headings="${JSON.stringify(headings)}"`}>
${body}
</div>
${late.map((script) => html`<script>${script.markup}</script>`)}
${webFont && renderFontLink(webFont)}
</body>
</html>
`.text;
  const policy = contentSecurityPolicyOf(document, [...early, ...late], styles);
  return { html: text, contentSecurityPolicy: policy };
}

function present(code: readonly (ClientCode | false | null | undefined)[]): readonly ClientCode[] {
  return code.filter((each) => !!each);
}

/** Allows the service's own code by hash, one source of fonts, the players of the page, and images and media from any site. */
function contentSecurityPolicyOf(
  document: FrameDocument,
  scripts: readonly ClientCode[],
  styles: readonly ClientCode[],
): string {
  const { webFont, tag, isCounted, frameOrigins = [], hasLocalPictures, allowedSites = null } = document;
  const hashes = (code: readonly ClientCode[]) => code.map(({ hash }) => hash);
  const directives = [
    "default-src 'none'",
    ['script-src', ...hashes(scripts)].join(' '),
    ['style-src', ...hashes(styles), ...(webFont ? [webFont.style.hash, webFont.cssOrigin] : [])].join(' '),
    `img-src ${hasLocalPictures ? "'self'" : 'http: https:'} data:`,
    'media-src http: https:',
    ...(frameOrigins.length > 0 ? [`frame-src ${frameOrigins.join(' ')}`] : []),
    ...(webFont ? [`font-src ${webFont.fileOrigin}`] : []),
    // the page sends requests to its own host
    ...(tag || isCounted ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    ...(allowedSites ? [frameAncestorsOf(allowedSites)] : []),
  ];
  return directives.join('; ');
}

/**
 * Returns the directive that lets only these sites frame a page, by either scheme and on any port. Without it, all do: no
 * source matches the hosts without an origin, such as sandboxed frames and `data:` URLs, not even `*` (CSP level 3).
 */
function frameAncestorsOf(sites: readonly string[]): string {
  return `frame-ancestors ${sites.map((site) => `https://${site}:* http://${site}:*`).join(' ')}`;
}
