import type { PageFetcher } from '#fetcher';
import type { EmbedHost } from '../domain/embed/url.ts';
import {
  ATTEMPT_LEASE_MS,
  MAX_FAILING_MS,
  MAX_RETRY_MS,
  RETRY_SPREAD,
  TEST_EVENT_TYPE,
  type Webhook,
} from '../domain/webhook.ts';
import { type Log, logBug } from '../log.ts';
import type { Outbox, OutboxDelivery } from '../store/webhooks/outbox.ts';
import type { WebhookStore } from '../store/webhooks/webhooks.ts';
import { bodyOf, headersOf } from './message.ts';

export const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_000;

/** 5 s, 15 s, 45 s … 3 h, and then 6 h. */
const FIRST_RETRY_MS = 5_000;
const RETRY_FACTOR = 3;

/** A message that cannot be made now cannot be made later. */
const UNSENDABLE = { status: null, response: 'The message could not be made.', dueAt: null };

/** RFC 9110 section 15.5.11. The Standard Webhooks specification disables such an endpoint. */
const GONE = 410;

export interface AttemptOptions {
  readonly outbox: Outbox;
  readonly webhooks: Pick<WebhookStore, 'disable'>;
  readonly fetcher: Pick<PageFetcher, 'post'>;
  readonly host: EmbedHost;
  /** The clock of the outbox, which other processes share. */
  readonly now: () => Date;
  readonly log: Log;
}

interface Attempted {
  readonly isDelivered: boolean;
  /** The receiver asks to send nothing before this time. */
  readonly pausedUntil: Date | null;
}

/** Makes one attempt of a delivery. Returns null if another process makes one. */
export type Attempt = (delivery: OutboxDelivery, signal: AbortSignal) => Promise<Attempted | null>;

export function createAttempt({ outbox, webhooks, fetcher, host, now, log }: AttemptOptions): Attempt {
  async function attempt(delivery: OutboxDelivery, signal: AbortSignal): Promise<Attempted | null> {
    const at = now();
    const claimed = await outbox.claim(delivery, at, new Date(at.getTime() + ATTEMPT_LEASE_MS));
    if (!claimed) return null;
    const message = makeMessage(claimed, at);
    if (!message) {
      await outbox.record(claimed, { ...UNSENDABLE, deliveredAt: claimed.deliveredAt });
      return { isDelivered: false, pausedUntil: null };
    }
    const request = { url: claimed.webhook.url, ...message, timeoutMs: TIMEOUT_MS };
    const result = await fetcher.post({ ...request, maxBytes: MAX_RESPONSE_BYTES }, signal);
    const status = result.kind === 'response' ? result.status : null;
    // PostgreSQL stores no NUL
    const response = result.kind === 'response' ? result.text.replaceAll('\0', '\ufffd') : result.reason;
    const isDelivered = status !== null && status >= 200 && status <= 299;
    const isAborted = result.kind === 'failed' && result.reason === 'aborted';
    // a repetition that fails does not undo the delivery
    const deliveredAt = isDelivered ? now() : claimed.deliveredAt;
    const asked = result.kind === 'response' && !isDelivered ? result.retryAfterMs : null;
    const pausedUntil = asked === null ? null : new Date(now().getTime() + Math.min(asked, MAX_RETRY_MS));
    const dueAt = deliveredAt ? null : nextAttemptOf(claimed, now(), pausedUntil);
    await outbox.record(claimed, { status, response, deliveredAt, dueAt });
    if (!isAborted && claimed.type !== TEST_EVENT_TYPE)
      await noteResult({ ...claimed, dueAt }, isDelivered, status ?? response);
    return { isDelivered, pausedUntil };
  }

  function makeMessage(delivery: OutboxDelivery, at: Date) {
    try {
      const body = bodyOf(delivery, host);
      return { body, headers: headersOf(delivery, body, at) };
    } catch (error) {
      logBug(log, 'webhooks', error);
      return null;
    }
  }

  /** Disables a webhook that is gone, or has failed for three days. */
  async function noteResult(
    { webhook, dueAt }: OutboxDelivery,
    isDelivered: boolean,
    result: number | string,
  ): Promise<void> {
    const { accountId, id, failingSince } = webhook;
    if (isDelivered && failingSince) await outbox.markFailing(webhook, null);
    if (isDelivered || webhook.disabledAt) return;
    // a failure without a retry, such as that of a repetition, says nothing about the three days that follow
    if (!failingSince && dueAt) await outbox.markFailing(webhook, now());
    const isOver = failingSince !== null && now().getTime() - failingSince.getTime() >= MAX_FAILING_MS;
    if (!isOver && result !== GONE) return;
    const reason = isOver ? `All deliveries have failed since ${failingSince.toISOString()}` : 'The receiver is gone';
    const reasonWithResult = `${reason}. The last result was: ${result}.`;
    // another gateway may have had a success since
    const isDisabled = await webhooks.disable(accountId, id, reasonWithResult, isOver ? failingSince : undefined);
    if (isDisabled) log.warn({ accountId, webhookId: id, result }, 'a webhook was disabled');
  }

  return attempt;
}

interface FailedDelivery extends Pick<OutboxDelivery, 'type' | 'attempts' | 'createdAt'> {
  readonly webhook: Pick<Webhook, 'disabledAt'>;
}

/** Returns the time of the next attempt, not before that of `Retry-After`; null if none follows. */
export function nextAttemptOf(delivery: FailedDelivery, now: Date, pausedUntil: Date | null = null): Date | null {
  const { type, attempts, createdAt, webhook } = delivery;
  const isOver = now.getTime() - createdAt.getTime() >= MAX_FAILING_MS;
  if (isOver || type === TEST_EVENT_TYPE || webhook.disabledAt) return null;
  const delayMs = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** (attempts - 1), MAX_RETRY_MS);
  const dueAt = now.getTime() + delayMs * (1 + RETRY_SPREAD * Math.random());
  return new Date(Math.max(dueAt, pausedUntil?.getTime() ?? 0));
}
