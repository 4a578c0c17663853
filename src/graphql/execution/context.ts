import type { Embed } from '../../domain/embed/embed.ts';
import type { EmbedIdentity } from '../../domain/embed/id.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';
import type { Identity } from '../../domain/identity/account.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { Audit } from '../../store/audit.ts';
import type { Changes } from '../../store/changes.ts';
import type { EmbedStore } from '../../store/embeds.ts';
import { createRequestBudget, type RequestBudget } from './request-budget.ts';

/** What resolvers work with, the same for every request. */
export interface Services extends EmbedHost {
  readonly embeds: EmbedStore;
  readonly changes: Changes;
  /** Where deeds are noted that cannot be seen any more afterwards. */
  readonly audit: Audit;
  readonly pages: { findTitle(pageUrl: string, timeoutMs: number): Promise<string | null> };
  /** The HTML to paste into a site. */
  readonly snippetOf: (embed: Embed) => string;
  readonly newEmbedIdentity: () => EmbedIdentity;
  readonly pagePolicy: PagePolicy;
}

/** What one request brings. */
export interface RequestContext {
  readonly identity: Identity;
  readonly requestId: string;
  /** The `Idempotency-Key` field as it came; null when there is none. */
  readonly idempotencyKey: string | null;
}

/** What resolvers get: the services, the request, and the bounds of this request. */
export interface Context extends Services, RequestContext {
  readonly budget: RequestBudget;
  /** Until when this request may wait for the titles of pages, by `performance.now()`. */
  readonly titleDeadline: number;
}

/** How long one request waits for the titles of pages, all its creates and updates together. */
const TITLES_TIMEOUT_MS = 3_000;

export function createContext(services: Services, request: RequestContext): Context {
  return {
    ...services,
    ...request,
    budget: createRequestBudget(),
    titleDeadline: performance.now() + TITLES_TIMEOUT_MS,
  };
}
