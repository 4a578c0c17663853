import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';

/** What a newcomer sees: it runs as it is once a token is entered. */
const EXAMPLE = `# Enter your token under "Headers" below; it is kept in this browser.
# Then run this with Ctrl-Enter: it creates an embed, and the other query lists yours.

mutation Create {
  createEmbed(input: {
    pageUrl: "https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c"
    mode: AUTO
  }) {
    embed { id embedUrl mode font showTopBar }
  }
}

query List {
  embeds(first: 5) {
    nodes { id embedUrl pageUrl mode createdAt }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}
`;

const HEADERS = JSON.stringify({ Authorization: 'Bearer <your token>' }, null, 2);

interface Page {
  readonly html: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

let page: Promise<Page> | undefined;

/** Whether a browser asks for the page, and no client for data. */
export function isGraphiqlRequest({ request, method }: Exchange): boolean {
  return method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
}

/** GraphiQL with all that it needs, from the installed packages: made when first asked for, then kept. */
export async function graphiqlResponse(request: Request): Promise<Response> {
  page ??= renderPage();
  const { html, gzipped, headers } = await page;
  const takesGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  return takesGzip
    ? answer(gzipped, { headers: { ...headers, 'content-encoding': 'gzip' } })
    : answer(html, { headers });
}

async function renderPage(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const text = renderGraphiQL({
    title: 'Embed Gateway · GraphiQL',
    endpoint: '/graphql',
    defaultQuery: EXAMPLE,
    headers: HEADERS,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: true,
  });
  const html = new TextEncoder().encode(text);
  return {
    html,
    gzipped: Uint8Array.from(await promisify(gzip)(html)),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(text),
      'cache-control': 'private, max-age=3600',
      vary: 'Accept, Accept-Encoding',
    },
  };
}

/** Only the page's own script by its hash, its styles (the editor writes them inline) and its workers; no other host. */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, source = '']) => {
    const digest = createHash('sha256').update(source.replaceAll('\r\n', '\n')).digest('base64');
    return `'sha256-${digest}'`;
  });
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
