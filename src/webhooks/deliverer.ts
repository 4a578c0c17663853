import { setImmediate as nextTurn } from 'node:timers/promises';
import { withDeadline } from '../deadline.ts';
import { msUntil } from '../domain/clock.ts';
import {
  type Delivery,
  deliveryNotFound,
  MAX_DUE_MS,
  MAX_WAITING_DELIVERIES,
  type Webhook,
} from '../domain/webhook.ts';
import { Refusal } from '../errors.ts';
import { createErrorLog } from '../log.ts';
import type { NewDelivery, OutboxDelivery } from '../store/webhooks/outbox.ts';
import type { WebhookStore } from '../store/webhooks/webhooks.ts';
import { type AttemptOptions, createAttempt, TIMEOUT_MS } from './attempt.ts';

const POLL_INTERVAL_MS = 1_000;
/** After a delivery, the next ones are looked for after this time. */
const NEXT_POLL_MS = 20;
const CHECK_INTERVAL_MS = 60_000;
const CLOSE_TIMEOUT_MS = 3_000;

const MAX_RUNNING = 64;
const MAX_PER_HOST = 16;
const MAX_PER_WEBHOOK = 8;
/** Requests for an attempt wait for its end, so more of them are rejected. */
const MAX_REQUESTED = 16;
const MAX_REQUESTED_PER_ACCOUNT = 4;

interface Options extends AttemptOptions {
  readonly webhooks: Pick<WebhookStore, 'disable' | 'trim'>;
}

type Key = Pick<OutboxDelivery, 'accountId' | 'id'>;
type Target = Pick<Webhook, 'accountId' | 'id' | 'url' | 'failingSince'>;

interface Running {
  readonly target: Target;
  readonly host: string;
  /** Null for an attempt that a client requested. */
  readonly deliveryId: string | null;
}

/** Sends the deliveries of the outbox. Each is repeated with the same id until its receiver has confirmed it. */
export function createDeliverer({ outbox, webhooks, now, log, ...options }: Options) {
  const attempt = createAttempt({ ...options, outbox, webhooks, now, log });
  const reportError = createErrorLog(log, 'webhooks');
  const closing = new AbortController();
  const running = new Map<Promise<void>, Running>();
  /** Webhooks with attempts that have ended since the last trim. */
  const untrimmed = new Map<string, Pick<OutboxDelivery['webhook'], 'accountId' | 'id'>>();
  const pauses = createPauses(now);
  const interval = setInterval(() => void Promise.all([poll(), trim()]), POLL_INTERVAL_MS).unref();
  const checking = setInterval(() => void check().catch(reportError), CHECK_INTERVAL_MS).unref();
  let nextPoll: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;
  let isClosing = false;

  /** Returns the number of further attempts that may begin. */
  function roomFor({ id, url, failingSince }: Target): number {
    const all = [...running.values()];
    const host = hostOf(url);
    const ofWebhook = all.filter(({ target }) => target.id === id).length;
    const ofHost = all.filter((other) => other.host === host).length;
    const maxOfWebhook = failingSince ? 1 : MAX_PER_WEBHOOK;
    return Math.min(MAX_RUNNING - all.length, MAX_PER_HOST - ofHost, maxOfWebhook - ofWebhook);
  }

  function poll(): Promise<void> {
    polling ??= startDue()
      .catch(reportError)
      .then(() => {
        polling = null;
      });
    return polling;
  }

  async function startDue(): Promise<void> {
    if (isClosing || running.size >= MAX_RUNNING) return;
    const isPaused = pauses.read();
    for (const webhook of await outbox.findDueWebhooks(now())) {
      if (isPaused(webhook)) continue;
      const room = roomFor(webhook);
      if (room <= 0) continue;
      // more are found, because those that begin are still due
      const found = await outbox.findDue(webhook, now(), MAX_PER_WEBHOOK);
      const started = new Set([...running.values()].map(({ deliveryId }) => deliveryId));
      const due = found.filter(({ id }) => !started.has(id)).slice(0, room);
      for (const key of due) if (!isClosing) track(webhook, key.id, sendDue(key));
      await nextTurn();
    }
  }

  function track(target: Target, deliveryId: string | null, work: Promise<unknown>): void {
    const ended = work.catch(reportError).then(() => {
      running.delete(ended);
      nextPoll ??= setTimeout(() => {
        nextPoll = undefined;
        void poll();
      }, NEXT_POLL_MS).unref();
    });
    running.set(ended, { target, host: hostOf(target.url), deliveryId });
  }

  /** Skips a delivery that another gateway has sent since it was found. */
  async function sendDue(key: Key): Promise<void> {
    const delivery = await outbox.find(key);
    if (delivery?.dueAt && delivery.dueAt <= now()) await makeAttempt(delivery);
  }

  async function sendNow(delivery: NewDelivery | Key): Promise<Delivery> {
    const [id = ''] = 'id' in delivery ? [delivery.id] : await outbox.add([delivery]);
    const key = { accountId: delivery.accountId, id };
    const found = await outbox.find(key);
    if (found) await makeAttempt(found);
    const sent = await outbox.find(key);
    if (!sent) throw deliveryNotFound();
    return sent;
  }

  async function makeAttempt(delivery: OutboxDelivery): Promise<void> {
    const attempted = await attempt(delivery, closing.signal);
    if (!attempted) return;
    untrimmed.set(delivery.webhookId, delivery.webhook);
    if (attempted.isDelivered) pauses.end(delivery.webhookId);
    else if (attempted.pausedUntil) pauses.begin(delivery.webhook, attempted.pausedUntil);
  }

  async function trim(): Promise<void> {
    const all = [...untrimmed.values()];
    untrimmed.clear();
    for (const { accountId, id } of all) await webhooks.trim(accountId, id).catch(reportError);
  }

  async function check(): Promise<void> {
    await outbox.makeLateDue(now());
    for (const { accountId, id } of await outbox.findOverfullWebhooks()) {
      log.warn({ accountId, webhookId: id }, 'a webhook was disabled');
      await webhooks.disable(accountId, id, `More than ${MAX_WAITING_DELIVERIES.toLocaleString('en')} events waited.`);
    }
  }

  return {
    /**
     * Makes one attempt now, of a new delivery or another one. Resolves when it has ended.
     * @throws {Refusal} `rate_limited` while 4 attempts of the account are made like this, or 16 in all; `not_found`
     */
    async send(webhook: Webhook, delivery: NewDelivery | Key): Promise<Delivery> {
      const requested = [...running.values()].filter(({ deliveryId }) => deliveryId === null);
      const ofAccount = requested.filter(({ target }) => target.accountId === webhook.accountId);
      if (requested.length >= MAX_REQUESTED || ofAccount.length >= MAX_REQUESTED_PER_ACCOUNT) {
        const message = `At most ${MAX_REQUESTED_PER_ACCOUNT} deliveries of an account, and ${MAX_REQUESTED} in all, are sent on request at the same time; try again in ${TIMEOUT_MS / 1_000} s.`;
        throw new Refusal('rate_limited', message, [], TIMEOUT_MS / 1_000);
      }
      const sent = sendNow(delivery);
      track(webhook, null, sent);
      return sent;
    },
    /** Waits up to 3 s for the attempts that are being made. */
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(interval);
      clearInterval(checking);
      await polling;
      await withDeadline(Promise.all(running.keys()), CLOSE_TIMEOUT_MS, null);
      closing.abort();
      await Promise.all(running.keys());
      clearTimeout(nextPoll);
    },
  };
}

/**
 * Creates the times, by webhook, before which its receiver wants no events. A pause ends with a success, with the failure of the
 * webhook, or with its URL. Deliveries that an owner requests are sent nevertheless.
 */
function createPauses(now: () => Date) {
  const pauses = new Map<string, { readonly url: string; readonly until: Date }>();
  return {
    begin({ id, url }: Target, until: Date): void {
      const other = pauses.get(id);
      if (!other || other.url !== url || other.until < until) pauses.set(id, { url, until });
    },
    end: (id: string) => pauses.delete(id),
    /** Returns whether webhooks that are found after this call are paused. */
    read() {
      for (const [id, { until }] of pauses) if (msUntil(until, now(), MAX_DUE_MS) === 0) pauses.delete(id);
      const before = new Map(pauses);
      return ({ id, url, failingSince }: Target): boolean => {
        const paused = pauses.get(id);
        if (failingSince && paused?.url === url) return true;
        // one that has begun since is of a later failure
        if (paused === before.get(id)) pauses.delete(id);
        return false;
      };
    },
  };
}

function hostOf(url: string): string {
  return new URL(url).host;
}
