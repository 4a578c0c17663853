import { html, type Markup } from '#reader/html';
import type { EmbedMode } from '../../../domain/embed/embed.ts';
import { COLOR_SCHEMES } from '../snippet.ts';
import {
  type ClientCode,
  frameScript,
  modeScript,
  pendingScript,
  playerScript,
  readerScript,
  styleSheet,
} from './client-code.ts';
import { renderFontHints, renderFontLink, type WebFont } from './web-font.ts';

export interface HostedPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export interface HostedDocument {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly mode: EmbedMode;
  readonly webFont: WebFont | null;
  readonly title: string;
  readonly metadata: Markup;
  readonly body: Markup;
  /** The body has the reader's controls. */
  readonly hasReader?: boolean;
  /** Reloads the page once its article is there. */
  readonly isPending?: boolean;
  /** All pictures in the body are on the host of the page. */
  readonly hasLocalPictures?: boolean;
  /** Origins of the players in the body. */
  readonly frameOrigins?: readonly string[];
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231557c0'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E";

/**
 * Renders a whole page. The colour mode is in its first bytes, so that nothing is painted in the wrong colours. Images are
 * fetched without a referrer, because some sites reject foreign ones.
 */
export function renderDocument(document: HostedDocument): HostedPage {
  const { language, direction, mode, webFont, title, metadata, body, isPending = false, frameOrigins = [] } = document;
  const { hasReader = false, hasLocalPictures = false } = document;
  const early = [mode === 'USER_DEFINED' ? modeScript : null, hasReader ? readerScript : null];
  const player = frameOrigins.length > 0 ? playerScript : null;
  const pending = isPending ? pendingScript : null;
  const text = html`<!doctype html>
<html lang="${language}" dir="${direction}" data-mode="${mode.toLowerCase()}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="${COLOR_SCHEMES[mode]}">
${early.map((script) => script && html`<script>${script.markup}</script>\n`)}<style>${styleSheet.markup}</style>
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${ICON}">
${metadata}
${webFont && renderFontHints(webFont)}
</head>
<body>
<div id="embed">
${body}
</div>
<script>${frameScript.markup}</script>${player && html`<script>${player.markup}</script>`}${pending && html`<script>${pending.markup}</script>`}
${webFont && renderFontLink(webFont)}
</body>
</html>
`.text;
  const scripts = [...early, frameScript, player, pending].filter((script) => script !== null);
  const sources = { scripts, styles: [styleSheet], webFont, isPending, frameOrigins, hasLocalPictures };
  return { html: text, contentSecurityPolicy: contentSecurityPolicyOf(sources) };
}

/** Allows framing by all sites and by files: `*` matches only the schemes of networks (CSP level 3). */
export const FRAME_ANCESTORS = 'frame-ancestors * file:';

/** Omits `X-Frame-Options`, which could only forbid framing; `frame-ancestors` of the policy allows it. */
export function pageHeaders({ contentSecurityPolicy }: HostedPage): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  };
}

interface PolicySources extends Pick<HostedDocument, 'hasLocalPictures'> {
  readonly scripts: readonly ClientCode[];
  readonly styles: readonly ClientCode[];
  readonly webFont: WebFont | null;
  readonly isPending: boolean;
  readonly frameOrigins: readonly string[];
}

/** Allows the service's own code by hash, one source of fonts, the players of the page, and images and media from any site. */
function contentSecurityPolicyOf(sources: PolicySources): string {
  const { scripts, styles, webFont, isPending, frameOrigins, hasLocalPictures } = sources;
  const hashes = (code: readonly ClientCode[]) => code.map(({ hash }) => hash);
  const directives = [
    "default-src 'none'",
    ['script-src', ...hashes(scripts)].join(' '),
    ['style-src', ...hashes(styles), ...(webFont ? [webFont.style.hash, webFont.cssOrigin] : [])].join(' '),
    `img-src ${hasLocalPictures ? "'self'" : 'http: https:'} data:`,
    'media-src http: https:',
    ...(frameOrigins.length > 0 ? [`frame-src ${frameOrigins.join(' ')}`] : []),
    ...(webFont ? [`font-src ${webFont.fileOrigin}`] : []),
    ...(isPending ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    FRAME_ANCESTORS,
  ];
  return directives.join('; ');
}
