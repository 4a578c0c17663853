import type { Embed } from '../../domain/embed/embed.ts';
import type { EmbedIdentity } from '../../domain/embed/id.ts';
import type { EmbedHost } from '../../domain/embed/url.ts';
import type { Identity } from '../../domain/identity/account.ts';
import type { PagePolicy } from '../../domain/page/url.ts';
import type { Audit } from '../../store/audit.ts';
import type { Changes } from '../../store/changes.ts';
import type { EmbedStore } from '../../store/embeds.ts';

/** What resolvers work with, the same for every request. */
export interface Services extends EmbedHost {
  readonly embeds: EmbedStore;
  readonly changes: Changes;
  /** Where deeds are noted that cannot be seen any more afterwards. */
  readonly audit: Audit;
  readonly pages: { findTitle(pageUrl: string): Promise<string | null> };
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
  /**
   * The versions of the embeds that this request has read, when its writes are to be over those versions only. A door
   * with preconditions (HTTP's `If-Match`) brings an empty map; for others there is none.
   */
  readonly readVersions?: Map<string, number>;
  /** Told when a create was the repetition of an earlier one; see `idempotencyKey`. */
  readonly onReplay?: () => void;
}

export interface Context extends Services, RequestContext {
  /** What was asked for so far, of which one request may have so much: see `limits.ts`. */
  readonly asked: { embeds: number; filteredLists: number };
}

export function contextOf(services: Services, request: RequestContext): Context {
  return { ...services, ...request, asked: { embeds: 0, filteredLists: 0 } };
}

/** The version over which a write must be, when the request asked for that; see `readVersions`. */
export function expectedVersion(context: Context, id: string): number | undefined {
  return context.readVersions?.get(id);
}
