import type { ArticleForms, FormJob, FormName } from '#reader/article-forms';
import type { PagePolicy } from '#reader/page-url';
import type { Embed } from '../../domain/embed/embed.ts';
import type { NewEmbedIdentity } from '../../domain/embed/id.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';
import { actorOf, type Identity } from '../../domain/identity/account.ts';
import type { PageCopy, PageOutline } from '../../domain/page-copy.ts';
import type { Delivery, Webhook } from '../../domain/webhook.ts';
import type { AuditFacts } from '../../store/audit/audit.ts';
import type { Database } from '../../store/database.ts';
import type { NewDelivery } from '../../store/webhooks/outbox.ts';
import { RequestBudget } from './request-budget.ts';

type Stores = Pick<
  Database,
  | 'embeds'
  | 'createList'
  | 'accounts'
  | 'tokens'
  | 'changes'
  | 'audit'
  | 'auditEvents'
  | 'webhooks'
  | 'outbox'
  | 'views'
  | 'watches'
  | 'pageVersions'
  | 'now'
>;

export interface Services extends Stores, EmbedHost {
  /** Makes one attempt of a delivery now, and waits for its end. */
  readonly sendDelivery: (
    webhook: Webhook,
    delivery: NewDelivery | Pick<Delivery, 'accountId' | 'id'>,
  ) => Promise<Delivery>;
  readonly pages: {
    findTitle(pageUrl: string, timeoutMs: number): Promise<string | null>;
    findOutline(pageUrl: string): Promise<PageOutline>;
    findShown(pageUrl: string): Promise<Pick<PageCopy, 'article'> | null>;
    makeForm<Name extends FormName>(job: FormJob<Name>): Promise<ArticleForms[Name]>;
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
  /** The start of the request by `performance.now()`. It bounds the time for which it waits for pages. */
  readonly startedAt: number;
}

/** Names the parts of the request, because a second spread would take as long as all the rest. */
export function createContext(
  services: Services,
  { identity, requestId, idempotencyKey, lastEventId }: RequestContext,
): Context {
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

/** Records a change that the caller has made. */
export function recordChange({ audit, identity, requestId }: Context, facts: AuditFacts): void {
  audit.record({ accountId: identity.accountId, ...facts, by: actorOf(identity), requestId });
}
