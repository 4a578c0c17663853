import type { Draft } from '../../domain/embed/embed.ts';
import { ALL_FIELDS, parseText } from '../../domain/embed/fields.ts';
import { CREATE_PARAMETERS, parseDraft } from '../../domain/embed/input.ts';
import { embedOriginOf } from '../../domain/embed/url.ts';
import { type Identity, requireScope } from '../../domain/identity/account.ts';
import { fallbackTitleOf, type PagePolicy } from '../../domain/page/url.ts';
import { Refusal, shownFaults } from '../../errors.ts';
import { decodeUtf8, mediaTypeOf, readBody } from '../../http/body.ts';
import type { Exchange, Quota, Route } from '../../http/exchange.ts';
import { problemOf, TransportRefusal } from '../../http/problem.ts';
import { reply } from '../../http/reply.ts';
import { inTime } from '../../pages/fetch/deadline.ts';
import { cardOf, fontCssUrlOf, type HostedServices } from './embed-page.ts';
import { oembedUrlsOf } from './oembed.ts';
import { type HostedPage, pageHeaders } from './render/document.ts';
import { renderErrorPage } from './render/error-page.ts';
import { renderEmbedPage } from './render/view.ts';

/** Who a token is, for whom it is asked. */
interface Asker {
  readonly request: { readonly headers: Headers };
  readonly address: string | null;
  accountId?: string;
  quota?: Quota;
}

export interface PreviewServices extends HostedServices {
  readonly pagePolicy: PagePolicy;
  readonly identify: (asker: Asker) => Promise<Identity>;
}

/** Longer than a page takes that can be had at all: who edits waits rather than looks at a card. */
const PATIENCE_MS = 8_000;

const FORM = 'application/x-www-form-urlencoded';

/**
 * `POST /preview`: the page that an embed would show, before there is one. Frames cannot send headers: the token is a
 * parameter of the form (RFC 6750 section 2.2), and must be one that may create embeds. `GET` with an Authorization header
 * says whether a token may, with 204.
 */
export function createPreviewRoute(services: PreviewServices): Route {
  async function requireWriter(exchange: Exchange, headers: Headers): Promise<void> {
    const asker: Asker = { request: { headers }, address: exchange.address };
    try {
      requireScope(await services.identify(asker), 'write');
    } finally {
      const { accountId, quota } = asker;
      Object.assign(exchange, accountId && { accountId }, quota && { quota });
    }
  }

  async function render(draft: Draft): Promise<HostedPage> {
    const embedUrl = `${embedOriginOf(services)}/preview`;
    const copy = await inTime(services.pages.findCopy(draft.pageUrl), PATIENCE_MS);
    return renderEmbedPage({
      embed: draft,
      article: copy?.article ?? cardOf({ ...draft, title: draft.title ?? fallbackTitleOf(draft.pageUrl) }),
      isPending: false,
      embedUrl,
      oembedUrls: oembedUrlsOf(embedUrl, services),
      fontCssUrl: fontCssUrlOf(draft, services),
    });
  }

  return {
    name: '/preview',
    methods: ['GET', 'POST'],
    async handle(exchange) {
      if (exchange.method === 'GET') {
        await requireWriter(exchange, exchange.request.headers);
        return reply(null, { status: 204, headers: { 'cache-control': 'no-store' } });
      }
      const { token, input } = await readForm(exchange.request);
      await requireWriter(exchange, new Headers(token === null ? {} : { authorization: `Bearer ${token}` }));
      return previewAnswer(await render(parseDraft(input, services.pagePolicy)), 200);
    },
    refuse(error) {
      const { code, detail, status, headers } = problemOf(error);
      const faults = error instanceof Refusal ? shownFaults(error.faults) : [];
      const text =
        faults.length === 0
          ? detail
          : faults.map(({ path, message }) => `${SUBJECTS.get(path) ?? path} ${message}.`).join(' ');
      return previewAnswer(renderErrorPage(code, text), status, headers);
    },
  };
}

/** The subjects of messages about parameters. */
const SUBJECTS = new Map<string, string>(ALL_FIELDS.map(({ name, label = name }) => [name, `The ${label}`]));

async function readForm(request: Request): Promise<{ token: string | null; input: Record<string, unknown> }> {
  if (mediaTypeOf(request) !== FORM) throw new TransportRefusal('unsupported_media_type', `Send a form: ${FORM}.`);
  const { access_token: token = null, ...texts } = Object.fromEntries(
    new URLSearchParams(decodeUtf8(await readBody(request))),
  );
  const values = Object.entries(texts).map(([name, text]) => {
    return [name, parseText(CREATE_PARAMETERS.graphql.byPath.get(name)?.type ?? 'text', text)];
  });
  return { token, input: Object.fromEntries(values) };
}

/**
 * For frames of this origin only. The sandbox takes that origin from it: whatever a page brings along, it stands as far from
 * the console, and from the token there, as an embed on a host of its own.
 */
function previewAnswer(page: HostedPage, status: number, headers: Readonly<Record<string, string>> = {}) {
  const policy = page.contentSecurityPolicy.replace('frame-ancestors *', "frame-ancestors 'self'");
  return reply(page.html, {
    status,
    headers: {
      ...pageHeaders(page),
      'content-security-policy': `${policy}; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox`,
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      ...headers,
    },
  });
}
