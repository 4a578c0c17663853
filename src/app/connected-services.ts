import type { Config } from '../config.ts';
import type { Embed } from '../domain/embed/embed.ts';
import { createEmbedIdGenerator } from '../domain/embed/id.ts';
import { schemeOf } from '../domain/embed/url.ts';
import { snippetOf } from '../doors/hosted/snippet.ts';
import type { Database } from '../store/database.ts';
import type { CreateList } from '../store/embeds/lists.ts';
import { instrument, type Observer } from '../telemetry/instrument.ts';
import type { Outgoing } from './outgoing.ts';
import { createFindOutline } from './page-heights.ts';

interface Options {
  readonly outgoing: Outgoing;
  readonly observers: readonly Observer[];
}

/** Creates the services that resolvers and doors use. Each request copies the object, so it has no more than they need. */
export function createServices(config: Config, database: Database, { outgoing, observers }: Options) {
  const { accounts, changes, audit, auditEvents, webhooks, outbox, views, watches, pageVersions, now } = database;
  const createList: CreateList = (accountId, filter) =>
    instrument('store.lists', database.createList(accountId, filter), observers);
  const findOutline = createFindOutline(outgoing.pages);
  return {
    ...{ accounts, changes, audit, auditEvents, webhooks, outbox, views, watches, pageVersions, now },
    embeds: instrument('store.embeds', database.embeds, observers),
    createList,
    tokens: instrument('store.tokens', database.tokens, observers),
    sendDelivery: outgoing.sendDelivery,
    pages: { ...outgoing.pages, findOutline },
    fonts: outgoing.fonts,
    async snippetOf(embed: Embed) {
      return snippetOf(embed, config, await findOutline(embed.pageUrl));
    },
    newEmbedIdentity: createEmbedIdGenerator(() => now().getTime()),
    pagePolicy: { allowPrivatePages: config.allowPrivatePages },
    embedHost: config.embedHost,
    embedScheme: schemeOf(config),
  };
}
