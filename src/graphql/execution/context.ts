import type { ArticleForms, FormJob, FormName } from '#reader/article-forms';
import type { PagePolicy } from '#reader/page-url';
import type { Embed } from '../../domain/embed/embed.ts';
import type { NewEmbedIdentity } from '../../domain/embed/id.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';
import type { Identity } from '../../domain/identity/account.ts';
import type { PageCopy, PageOutline } from '../../domain/page-copy.ts';
import type { Delivery, Webhook } from '../../domain/webhook.ts';
import type { AccountStore } from '../../store/accounts.ts';
import type { Audit } from '../../store/audit/audit.ts';
import type { AuditEventStore } from '../../store/audit/audit-events.ts';
import type { Changes } from '../../store/changes/changes.ts';
import type { CreateList } from '../../store/embeds/lists.ts';
import type { EmbedStore } from '../../store/embeds.ts';
import type { PageVersionStore } from '../../store/pages/page-versions.ts';
import type { WatchStore } from '../../store/pages/watches.ts';
import type { TokenStore } from '../../store/tokens.ts';
import type { ViewStore } from '../../store/views.ts';
import type { NewDelivery, Outbox } from '../../store/webhooks/outbox.ts';
import type { WebhookStore } from '../../store/webhooks/webhooks.ts';
import { RequestBudget } from './request-budget.ts';

export interface Services extends EmbedHost {
  readonly embeds: EmbedStore;
  readonly accounts: AccountStore;
  readonly createList: CreateList;
  readonly tokens: TokenStore;
  readonly changes: Changes;
  readonly audit: Audit;
  readonly auditEvents: Pick<AuditEventStore, 'findPage' | 'count'>;
  readonly webhooks: WebhookStore;
  readonly outbox: Pick<Outbox, 'find'>;
  /** Makes one attempt of a delivery now, and waits for its end. */
  readonly sendDelivery: (
    webhook: Webhook,
    delivery: NewDelivery | Pick<Delivery, 'accountId' | 'id'>,
  ) => Promise<Delivery>;
  readonly views: Pick<ViewStore, 'find'>;
  readonly watches: Pick<WatchStore, 'requireRoom'>;
  readonly pageVersions: Pick<PageVersionStore, 'find'>;
  readonly pages: {
    findTitle(pageUrl: string, timeoutMs: number): Promise<string | null>;
    findOutline(pageUrl: string): Promise<PageOutline>;
    findShown(pageUrl: string): Promise<Pick<PageCopy, 'article'> | null>;
    makeForm<Name extends FormName>(job: FormJob & { readonly form: Name }): Promise<ArticleForms[Name]>;
    refresh(embed: Embed, timeoutMs: number): Promise<void>;
  };
  readonly fonts: { findWarning(font: string, timeoutMs: number): Promise<string | null> };
  readonly snippetOf: (embed: Embed) => Promise<string>;
  readonly newEmbedIdentity: NewEmbedIdentity;
  readonly pagePolicy: PagePolicy;
}

export interface RequestContext {
  readonly identity: Identity;
  readonly requestId: string;
  /** The value of the `Idempotency-Key` header, not validated. */
  readonly idempotencyKey: string | null;
  /** The value of the `Last-Event-ID` header, not validated; only subscriptions use it. */
  readonly lastEventId?: string | null | undefined;
}

export interface Context extends Services, RequestContext {
  readonly budget: RequestBudget;
  /** The start of the request by `performance.now()`. It bounds the time for which it waits for pages and fonts. */
  readonly startedAt: number;
}

export function createContext(services: Services, request: RequestContext): Context {
  // named, because a second spread takes as long as all the rest
  const { identity, requestId, idempotencyKey, lastEventId } = request;
  return {
    ...services,
    identity,
    requestId,
    idempotencyKey,
    lastEventId,
    budget: new RequestBudget(),
    startedAt: performance.now(),
  };
}
