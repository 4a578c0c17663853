import { hash } from 'node:crypto';
import { normalisePageUrl, pageIdOf, sourceUrlOf } from '#reader/page-url';
import type { Embed } from '../domain/embed/embed.ts';
import { MAX_PAGE_SIZE } from '../domain/embed/paging.ts';
import { isWithdrawn, outlineOf, type PageOutline, type StoredPage, settledStatusOf } from '../domain/page-copy.ts';
import { eventTypeOf, type WebhookEvent } from '../domain/webhook.ts';
import { Refusal } from '../errors.ts';
import { type CreateList, NO_FILTER } from '../store/embeds/lists.ts';
import type { PageStore } from '../store/pages.ts';
import type { NewDelivery, Outbox, PageWebhook } from '../store/webhooks/outbox.ts';
import type { StoredPageFacts } from './message.ts';

/** An event of a page is sent for its newest embeds in an account, up to this number. */
const MAX_EMBEDS = 1_000;
/** The copy is stored first, so that a receiver that reads the page sees it. */
const DELAY_MS = 1_000;
/** 80 bits. */
const MARK_DIGITS = 20;

interface Options {
  readonly outbox: Outbox;
  readonly createList: CreateList;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

/**
 * Adds the events of a page to the outbox before its copy is stored. A crash between both, or a database that is unavailable
 * meanwhile, repeats the events with their ids, because the copy is not stored and the page is fetched again.
 */
export function withPageEvents(pages: PageStore, { outbox, createList, now, onError }: Options): PageStore {
  async function addEvents(pageUrl: string, change: (known: StoredPage | null) => StoredPage): Promise<void> {
    const before = await pages.find(pageUrl);
    const after = change(before);
    const present = now();
    const events = eventsBetween(before, after);
    if (events.length === 0) return;
    const webhooks = await outbox.findPageWebhooks(pageIdOf(pageUrl));
    const receivers = webhooks.filter((webhook) => events.some((event) => webhook.events.includes(event)));
    if (receivers.length === 0) return;
    const { state, reason, title, siteName, url, movedTo, fetchedAt } = outlineAtAttempt(after);
    const page = { state, reason, title, siteName, url, movedTo, fetchedAt };
    // the same for each attempt to store what follows the copy before
    const transition = [before?.triedAt ?? null, state];
    const marks = { PAGE_STATE_CHANGED: digestOf(transition), PAGE_CHANGED: digestOf([...transition, factsOf(after)]) };
    for (const [accountId, ofAccount] of Map.groupBy(receivers, (webhook) => webhook.accountId)) {
      const occurrence = { events, webhooks: ofAccount, at: present, marks };
      const embeds = await findEmbeds(accountId, pageUrl);
      await outbox.add(embeds.flatMap((embed) => deliveriesOf(embed, page, occurrence)));
    }
  }

  async function findEmbeds(accountId: string, pageUrl: string): Promise<readonly Embed[]> {
    const ofPage = { pageIds: [pageIdOf(pageUrl)], pageUrl: normalisePageUrl(pageUrl) };
    const list = createList(accountId, { ...NO_FILTER, ...ofPage });
    const found: Embed[] = [];
    let after: string | undefined;
    do {
      const page = await list.findPage({ size: MAX_PAGE_SIZE, fromEnd: false, after, before: undefined });
      found.push(...page.embeds.filter((embed) => sourceUrlOf(embed.pageUrl) === pageUrl));
      after = page.isCut ? (page.stoppedAt ?? page.embeds.at(-1)?.id) : undefined;
    } while (after !== undefined && found.length < MAX_EMBEDS);
    return found.slice(0, MAX_EMBEDS);
  }

  /** A bug must not keep the copy from being stored. */
  function reportBug(error: unknown): void {
    if (error instanceof Refusal) throw error;
    onError(error);
  }

  return {
    ...pages,
    async save(page, heights) {
      await addEvents(page.pageUrl, () => page).catch(reportBug);
      await pages.save(page, heights);
    },
    async recordFailure(pageUrl, attempt) {
      await addEvents(pageUrl, (known) => ({ version: null, ...known, pageUrl, ...attempt })).catch(reportBug);
      await pages.recordFailure(pageUrl, attempt);
    },
  };
}

type PageEvent = Extract<WebhookEvent, `PAGE_${string}`>;

interface Occurrence {
  readonly events: readonly PageEvent[];
  readonly webhooks: readonly PageWebhook[];
  readonly at: Date;
  readonly marks: Readonly<Record<PageEvent, string>>;
}

function deliveriesOf(
  embed: Embed,
  page: StoredPageFacts,
  { events, webhooks, at, marks }: Occurrence,
): readonly NewDelivery[] {
  const data = JSON.stringify({ embed, page });
  const times = { createdAt: at, dueAt: new Date(at.getTime() + DELAY_MS) };
  return webhooks.flatMap(({ accountId, id: webhookId, events: wanted }) => {
    const sent = events.filter((event) => wanted.includes(event));
    const subject = { subjectId: embed.id, sequence: 2 * embed.version };
    return sent.map((event) => ({
      ...{ accountId, webhookId, type: eventTypeOf(event), ...subject, data, ...times },
      mark: digestOf([marks[event], webhookId, embed.id, event]).slice(0, MARK_DIGITS),
    }));
  });
}

function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}

function eventsBetween(before: StoredPage | null, after: StoredPage): readonly PageEvent[] {
  const [old, current] = [before ? settledStatusOf(before).state : 'PENDING', outlineAtAttempt(after).state];
  // a new page that is shown is no news, nor is one that waits for the browser
  const isOther = old !== current && current !== 'PENDING' && !(old === 'PENDING' && current === 'SHOWN');
  const isOtherVersion = before?.version && after.version && factsOf(before) !== factsOf(after);
  const isComparable = old !== 'PENDING' && !isWithdrawn({ state: old });
  const isChanged = isOtherVersion && isComparable && current === 'SHOWN';
  return [...(isOther ? (['PAGE_STATE_CHANGED'] as const) : []), ...(isChanged ? (['PAGE_CHANGED'] as const) : [])];
}

const factsOf = ({ version }: StoredPage) => JSON.stringify([version?.url, version?.movedTo, version?.article]);

/** Returns the outline at the time of the last attempt. */
function outlineAtAttempt({ pageUrl, triedAt, failure, version }: StoredPage): PageOutline {
  const { title = '', site = '' } = version?.article ?? {};
  const kept = {
    bytes: 0,
    watchRefusal: null,
    failure,
    version: version && { ...version, title, site, heights: null },
  };
  return outlineOf(pageUrl, kept, triedAt);
}
