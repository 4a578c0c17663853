import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRepresentation, type Representation } from '../../../http/representation.ts';

/**
 * `validatorUrl: null` keeps Swagger UI from sending the document to another host. A token that was entered in GraphiQL is
 * used here too.
 */
const START_SCRIPT = `(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', paint);
  paint();
  const ui = SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#reference',
    validatorUrl: null,
    deepLinking: true,
    displayRequestDuration: true,
    persistAuthorization: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    onComplete() {
      const token = localStorage.getItem('embed-gateway:token');
      const isKnown = ui.authSelectors.authorized().size > 0;
      if (token && !isKnown) ui.preauthorizeApiKey('accessToken', token);
    },
  });
})();`;

/** Hides the license, because Swagger UI would link to a page about it. */
const STYLES = `
body { margin: 0; }
.info__license { display: none; }
@media (prefers-color-scheme: dark) { body { background: #1c2022; } }`;

/** Renders Swagger UI with inlined scripts and styles from the installed package. */
export async function renderReference(): Promise<Representation> {
  const [bundle, styles] = await Promise.all([
    readSwaggerFile('swagger-ui-bundle.js'),
    readSwaggerFile('swagger-ui.css'),
  ]);
  const scripts = [bundle, START_SCRIPT];
  const sheets = [styles, STYLES];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Embed Gateway · REST</title>
<link rel="icon" href="data:,">
${sheets.map((text) => `<style>${text}</style>`).join('\n')}
</head>
<body>
<main id="reference"><noscript>This page needs JavaScript. Read the OpenAPI document instead: <a href="/openapi.json">openapi.json</a>.</noscript></main>
${scripts.map((text) => `<script>${text}</script>`).join('\n')}
</body>
</html>
`;
  return createRepresentation(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(scripts, sheets),
    'cache-control': 'private, max-age=3600',
  });
}

function readSwaggerFile(name: string): Promise<string> {
  return readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)), 'utf8');
}

/** Allows only the page's own scripts and styles, images in them, and requests to this service. */
function contentSecurityPolicy(scripts: readonly string[], sheets: readonly string[]): string {
  const hashes = (texts: readonly string[]) => {
    return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
  };
  return [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes(sheets)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
