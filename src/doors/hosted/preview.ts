import { type FramePage, renderFrame } from '#frame';
import { type Article, createCard } from '#reader/article';
import type { FormJob, Heading } from '#reader/article-forms';
import type { PagePolicy } from '#reader/page-url';
import { fallbackTitleOf } from '#reader/page-url';
import type { Identify } from '../../auth/identify.ts';
import { authorizationOf, findOwnOrigin } from '../../auth/session-cookie.ts';
import type { Draft } from '../../domain/embed/embed.ts';
import { ALL_FIELDS, parseText } from '../../domain/embed/fields.ts';
import { CREATE_PARAMETERS, parseDraft } from '../../domain/embed/input.ts';
import { effectiveSettings } from '../../domain/embed/settings.ts';
import { embedOriginOf } from '../../domain/embed/url.ts';
import { type Identity, requireScope } from '../../domain/identity/account.ts';
import { type Fault, Refusal, refuseFaults, shownFaults } from '../../errors.ts';
import { decodeUtf8, readBody, requireMediaType } from '../../http/body.ts';
import type { IncomingRequest, Route } from '../../http/exchange.ts';
import { problemOf } from '../../http/problem.ts';
import { type Reply, reply } from '../../http/reply.ts';
import type { HostedServices } from './embed-page.ts';
import { findFont } from './font.ts';
import { oembedAlternatesOf } from './oembed.ts';
import { pageHeaders, renderProblem } from './page-reply.ts';

export interface PreviewServices extends HostedServices {
  readonly pages: HostedServices['pages'] & {
    makeForm(job: FormJob<'headings'>): Promise<readonly Heading[]>;
  };
  readonly pagePolicy: PagePolicy;
  readonly identify: Identify;
}

/** Longer than the fetch timeout: an editor prefers the article to a card. */
const PAGE_TIMEOUT_MS = 8_000;

/** The editor lists no more. */
const MAX_HEADINGS = 200;

/**
 * Creates the route `/preview`, which renders the page that an embed would show. Its caller is the session of the console, or a
 * token in a form parameter (RFC 6750 section 2.2), because frames cannot send headers.
 */
export function createPreviewRoute(services: PreviewServices): Route {
  async function render(draft: Draft, accountSettings: string | null): Promise<FramePage> {
    const embedUrl = `${embedOriginOf(services)}/preview`;
    const copy = await services.pages.findCopy(draft.pageUrl, PAGE_TIMEOUT_MS);
    const shown = copy && (await services.pages.showPart(copy, draft.pageUrl));
    const headings = await findHeadings(copy?.article ?? null);
    return renderFrame({
      embed: draft,
      settings: { look: effectiveSettings(draft.settings, accountSettings).look, allowedSites: null },
      article: shown?.article ?? createCard({ ...draft, title: draft.title ?? fallbackTitleOf(draft.pageUrl) }),
      // the time to wait for a copy is longer than a fetch may take
      state: shown?.state ?? (copy ? 'PENDING' : 'UNREACHABLE'),
      embedUrl,
      alternates: oembedAlternatesOf(embedUrl, services),
      font: findFont(draft.font, services),
      headings,
    });
  }

  /** Returns none of an article that takes too long, or while the reader has too much to do. */
  async function findHeadings(article: Article | null): Promise<readonly Heading[]> {
    if (!article?.content) return [];
    const { content, hero, language } = article;
    const found = services.pages.makeForm({ form: 'headings', article: { content, hero, language } });
    return (await found.catch(() => [])).slice(0, MAX_HEADINGS);
  }

  async function showPreview(identity: Identity, { input, faults, isOfAccount }: Form): Promise<Reply> {
    requireScope(identity, 'write');
    if (faults.length > 0) throw refuseFaults(faults);
    const draft = parseDraft(input, services.pagePolicy);
    const accountSettings = isOfAccount ? null : await services.accounts.findSettings(identity.accountId);
    return previewReply(await render(draft, accountSettings), 200);
  }

  return {
    name: '/preview',
    methods: ['POST'],
    async accept(exchange) {
      const { request, address } = exchange;
      const form = await readForm(request);
      const isOfConsole = findOwnOrigin(exchange) !== null;
      const authorization = form.token === null ? authorizationOf(exchange, isOfConsole) : `Bearer ${form.token}`;
      const caller = await services.identify({ authorization, address });
      return { caller, handle: () => showPreview(caller.identity, form) };
    },
    refuse(error) {
      const { code, detail, status, headers } = problemOf(error);
      const faults = error instanceof Refusal ? shownFaults(error.faults) : [];
      const text =
        faults.length === 0
          ? detail
          : faults.map(({ path, message }) => `${FIELD_LABELS.get(path) ?? path} ${message}.`).join(' ');
      return previewReply(renderProblem(code, text), status, headers);
    },
  };
}

const FIELD_LABELS = new Map<string, string>(ALL_FIELDS.map(({ name, label = name }) => [name, `The ${label}`]));

interface Form {
  readonly token: string | null;
  readonly input: Record<string, unknown>;
  readonly faults: readonly Fault[];
  /** The look in the form is that of the account, and replaces the stored one. */
  readonly isOfAccount: boolean;
}

/** @throws {Refusal} `malformed` if there is more than one token */
async function readForm(request: IncomingRequest): Promise<Form> {
  requireMediaType(request, 'application/x-www-form-urlencoded');
  const fields = new URLSearchParams(decodeUtf8(await readBody(request)));
  const repeated = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length > 1);
  if (repeated.includes('access_token')) throw new Refusal('malformed', 'The field access_token must be sent once.');
  const { access_token: token = null, of_account: ofAccount, ...texts } = Object.fromEntries(fields);
  const values = Object.entries(texts).map(([name, text]) => {
    return [name, parseText(CREATE_PARAMETERS.graphql.byPath.get(name)?.type ?? 'text', text)];
  });
  return {
    token,
    isOfAccount: ofAccount === 'true',
    faults: repeated.map((path) => ({ path, message: 'must be sent once' })),
    input: Object.fromEntries(values),
  };
}

/** Allows framing by this origin only. The sandbox keeps the page away from the console and its token. */
function previewReply(page: FramePage, status: number, headers: Readonly<Record<string, string>> = {}) {
  const policy = `${page.contentSecurityPolicy}; frame-ancestors 'self'`;
  return reply(page.html, {
    status,
    headers: {
      ...pageHeaders(page),
      'content-security-policy': `${policy}; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads`,
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      ...headers,
    },
  });
}
