import { hash } from 'node:crypto';
import { html, Markup } from '#reader/html';
import { problemOf } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';

const STYLE =
  ':root{color-scheme:light dark}body{background:Canvas;color:CanvasText;font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.25rem}a{color:inherit}';
const STYLE_HASH = hash('sha256', STYLE, 'base64');

/** Shows why a sign-in has failed. The message may quote the provider. */
export function faultPage(error: unknown, cookies: Readonly<Record<string, string>> = {}): Reply {
  const { status, detail, headers, code } = problemOf(error);
  const { 'www-authenticate': _, ...others } = headers;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not signed in · Embed Gateway</title>
<style>${new Markup(STYLE)}</style></head>
<body><main><h1>You are not signed in</h1><p>${detail}</p><p><a href="/">Back to the console</a></p></main></body></html>
`;
  return reply(page.text, {
    status,
    refusalCode: code,
    headers: {
      ...others,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      ...cookies,
    },
  });
}
