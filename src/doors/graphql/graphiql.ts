import { createHash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';
import { TOKEN_BAR_CSS, TOKEN_BAR_HTML, TOKEN_BAR_SCRIPT } from './token-bar.ts';

const EXAMPLE = `# Enter your access token above, then run one of
# these with the ▶ button or Ctrl-Enter.

mutation CreateEmbed {
  createEmbed(
    input: {
      pageUrl: "https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c"
      mode: AUTO
    }
  ) {
    embed {
      id
      embedUrl
      mode
    }
  }
}

query ListEmbeds {
  embeds(first: 5) {
    nodes {
      id
      embedUrl
      pageUrl
      mode
      createdAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    totalCount
  }
}

# Stays open, and shows each change as it happens.
subscription WatchEmbeds {
  embedChanged {
    kind
    embedId
    embed {
      embedUrl
      mode
    }
  }
}
`;

let page: Promise<Representation> | undefined;

export function isGraphiqlRequest({ request, method }: Exchange): boolean {
  return method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
}

/** GraphiQL from the installed packages, rendered at the first request. */
export async function graphiqlResponse(request: Request): Promise<Reply> {
  page ??= renderPage();
  return (await page).reply(request);
}

async function renderPage(): Promise<Representation> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const graphiql = renderGraphiQL({
    title: 'Embed Gateway · GraphiQL',
    endpoint: '/graphql',
    defaultQuery: EXAMPLE,
  });
  const bar = `${TOKEN_BAR_HTML}<style>${TOKEN_BAR_CSS}</style><script>${TOKEN_BAR_SCRIPT}</script>`;
  const text = graphiql.replace('<div id="root">', (root) => bar + root);
  return createRepresentation(text, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(text),
    'cache-control': 'private, max-age=3600',
    vary: 'Accept',
  });
}

/** Allows the page's scripts by hash, inline styles (the editor writes them) and workers; no other host. */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, source = '']) => {
    return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
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
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
