import type { EmbedMode } from '../../../domain/embed/embed.ts';
import { contentSecurityPolicy } from '../policy.ts';
import { COLOR_SCHEMES } from '../snippet.ts';
import { frameScript, modeScript, styleSheet } from './client-code.ts';
import { html, type Markup } from './markup.ts';
import { renderFontHints, renderFontLink, type WebFont } from './web-font.ts';

/** A page, and the policy that it must be served with. */
export interface HostedPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** Everything in which pages of this door differ. */
export interface HostedDocument {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly mode: EmbedMode;
  readonly webFont: WebFont | null;
  readonly title: string;
  readonly metadata: Markup;
  readonly body: Markup;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231557c0'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E";

/**
 * The whole page. Its first bytes carry the mode, so that nothing is painted before the colours are known, and its
 * pictures are fetched without a referrer, which sources take better than a strange one.
 */
export function renderDocument(document: HostedDocument): HostedPage {
  const { language, direction, mode, webFont, title, metadata, body } = document;
  const choice = mode === 'USER_DEFINED' ? modeScript : null;
  const text = html`<!doctype html>
<html lang="${language}" dir="${direction}" data-mode="${mode.toLowerCase()}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="${COLOR_SCHEMES[mode]}">
${choice && html`<script>${choice.markup}</script>\n`}<style>${styleSheet.markup}</style>
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
<script>${frameScript.markup}</script>
${webFont && renderFontLink(webFont)}
</body>
</html>
`.text;
  const scripts = choice ? [choice, frameScript] : [frameScript];
  return { html: text, contentSecurityPolicy: contentSecurityPolicy({ scripts, styles: [styleSheet], webFont }) };
}

/** `frame-ancestors` of the policy is what lets the page be framed; `X-Frame-Options` could only forbid it. */
export function pageHeaders({ contentSecurityPolicy }: HostedPage): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  };
}
