import { hash } from 'node:crypto';
import { type Awaitable, loadOnce } from '../../awaitable.ts';
import { loadCode } from '../../descriptors.ts';
import { type Accepted, acceptPublicly, type Exchange } from '../../http/exchange.ts';
import { isBrowserNavigation } from '../../http/negotiation.ts';
import { createRepresentation, type Representation } from '../../http/representation.ts';
import { ACCESSIBLE_CSS, ACCESSIBLE_SCRIPT } from './accessibility.ts';
import { renderTokenBar, TOKEN_BAR_CSS, TOKEN_BAR_SCRIPT } from './token-bar.ts';

const EXAMPLE = `# Sign in above, unless you are signed in already.
# Then run one of these with the ▶ button or Ctrl-Enter.

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

/**
 * Delays Ctrl-Enter until 300 ms after the last edit. GraphiQL finds the operations of the text 100 ms after an edit, and
 * would send the name of an operation of the previous text.
 */
const RUN_KEY_SCRIPT = `(() => {
  const SETTLE_MS = 300;
  let editedAt = -SETTLE_MS;
  let waiting;
  const noteEdit = () => {
    editedAt = performance.now();
  };
  for (const type of ['paste', 'cut', 'drop', 'input']) addEventListener(type, noteEdit, true);
  addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) {
      if (!['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) noteEdit();
      return;
    }
    const waitMs = editedAt + SETTLE_MS - performance.now();
    if (waitMs <= 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { target, key, code, keyCode, ctrlKey, metaKey } = event;
    const again = { key, code, keyCode, ctrlKey, metaKey, bubbles: true, cancelable: true };
    clearTimeout(waiting);
    waiting = setTimeout(() => target.dispatchEvent(new KeyboardEvent('keydown', again)), waitMs);
  }, true);
})();`;

/** GraphiQL's conversion of an error of its own, such as a syntax error, into a result. */
const ERROR_CONVERSION = /\{message:(\w+)\.message,stack:\1\.stack\}/;

const loadGraphiql = loadCode(() => import('@graphql-yoga/render-graphiql'));

/** Creates a function that accepts requests of browsers for `/graphql`: the page is public. It returns null for any other request. */
export function createGraphiql(hasConsole: boolean): (exchange: Exchange) => Awaitable<Accepted> | null {
  const getPage = loadOnce(() => renderPage(hasConsole));
  const accept = acceptPublicly(async ({ request }) => (await getPage()).reply(request));
  return (exchange) => {
    const { request, method } = exchange;
    const isForPage = method === 'GET' && isBrowserNavigation(request.headers.get('accept'));
    return isForPage ? accept(exchange) : null;
  };
}

/** Renders GraphiQL from the installed packages, at the first request. */
async function renderPage(hasConsole: boolean): Promise<Representation> {
  const { renderGraphiQL } = await loadGraphiql();
  const graphiql = renderGraphiQL({
    title: 'Embed Gateway · GraphiQL',
    endpoint: '/graphql',
    defaultQuery: EXAMPLE,
  });
  const scripts = [TOKEN_BAR_SCRIPT, RUN_KEY_SCRIPT, ACCESSIBLE_SCRIPT].map((script) => `<script>${script}</script>`);
  const bar = `${renderTokenBar(hasConsole)}<style>${TOKEN_BAR_CSS}${ACCESSIBLE_CSS}</style>${scripts.join('')}`;
  const text = graphiql
    .replace('</head>', '<meta name="viewport" content="width=device-width, initial-scale=1"></head>')
    .replace('<div id="root">', () => `${bar}<div id="root" role="main">`)
    .replace(ERROR_CONVERSION, (_, error) => `{message:${error}.message}`);
  return createRepresentation(text, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(text),
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'private, max-age=3600',
    vary: 'Accept',
  });
}

/** Allows the page's scripts by hash and inline styles, which the editor writes; no other host. */
function contentSecurityPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, source = '']) => {
    return `'sha256-${hash('sha256', source, 'base64')}'`;
  });
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
