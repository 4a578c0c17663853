import type { Identify } from '../../auth/identify.ts';
import type { Draft } from '../../domain/embed/embed.ts';
import { ALL_FIELDS, parseText } from '../../domain/embed/fields.ts';
import { CREATE_PARAMETERS, parseDraft } from '../../domain/embed/input.ts';
import { embedOriginOf } from '../../domain/embed/url.ts';
import { type Identity, requireScope } from '../../domain/identity/account.ts';
import { fallbackTitleOf, type PagePolicy } from '../../domain/page/url.ts';
import { type Fault, Refusal, refuseFaults, shownFaults } from '../../errors.ts';
import { decodeUtf8, mediaTypeOf, readBody } from '../../http/body.ts';
import type { Route } from '../../http/exchange.ts';
import { problemOf, TransportRefusal } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { inTime } from '../../pages/fetch/deadline.ts';
import { cardOf, fontCssUrlOf, type HostedServices } from './embed-page.ts';
import { oembedUrlsOf } from './oembed.ts';
import { type HostedPage, pageHeaders } from './render/document.ts';
import { renderErrorPage } from './render/error-page.ts';
import { renderEmbedPage } from './render/view.ts';

export interface PreviewServices extends HostedServices {
  readonly pagePolicy: PagePolicy;
  readonly identify: Identify;
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

  function confirmWriter(identity: Identity): Reply {
    requireScope(identity, 'write');
    return reply(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  }

  async function showPreview(
    identity: Identity,
    input: Record<string, unknown>,
    faults: readonly Fault[],
  ): Promise<Reply> {
    requireScope(identity, 'write');
    if (faults.length > 0) throw refuseFaults(faults);
    return previewAnswer(await render(parseDraft(input, services.pagePolicy)), 200);
  }

  return {
    name: '/preview',
    methods: ['GET', 'POST'],
    async accept({ method, request, address }) {
      if (method === 'GET') {
        const caller = await services.identify({ authorization: request.headers.get('authorization'), address });
        return { caller, handle: () => confirmWriter(caller.identity) };
      }
      const { token, input, faults } = await readForm(request);
      const caller = await services.identify({ authorization: token && `Bearer ${token}`, address });
      return { caller, handle: () => showPreview(caller.identity, input, faults) };
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

interface Form {
  readonly token: string | null;
  readonly input: Record<string, unknown>;
  /** Of the fields that were sent more than once. */
  readonly faults: readonly Fault[];
}

/** @throws {Refusal} `malformed` when there is more than one token */
async function readForm(request: Request): Promise<Form> {
  if (mediaTypeOf(request) !== FORM) throw new TransportRefusal('unsupported_media_type', `Send a form: ${FORM}.`);
  const fields = new URLSearchParams(decodeUtf8(await readBody(request)));
  const repeated = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length > 1);
  if (repeated.includes('access_token')) throw new Refusal('malformed', 'Send access_token once.');
  const { access_token: token = null, ...texts } = Object.fromEntries(fields);
  const values = Object.entries(texts).map(([name, text]) => {
    return [name, parseText(CREATE_PARAMETERS.graphql.byPath.get(name)?.type ?? 'text', text)];
  });
  return {
    token,
    faults: repeated.map((path) => ({ path, message: 'must be sent once' })),
    input: Object.fromEntries(values),
  };
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
