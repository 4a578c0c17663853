import type { Config } from '../config.ts';
import type { Services } from '../graphql/execution/context.ts';
import { createErrorLog, type Log } from '../log.ts';
import type { PageFetcher } from '../pages/fetch/fetch.ts';
import type { Database } from '../store/database.ts';
import type { PageStore } from '../store/pages.ts';
import { createDeliverer } from '../webhooks/deliverer.ts';
import { withPageEvents } from '../webhooks/page-events.ts';

interface Options {
  readonly config: Config;
  readonly database: Database;
  readonly pages: PageStore;
  readonly fetcher: PageFetcher;
  readonly log: Log;
}

/** The parts of the app through which it sends events to webhooks. */
export interface Webhooks {
  /** The store of pages, which adds the events of pages. */
  readonly pages: PageStore;
  readonly services: Pick<Services, 'webhooks' | 'outbox' | 'sendDelivery'>;
  close(): Promise<void>;
}

/** Starts the deliveries to webhooks. */
export function startWebhooks({ config, database, pages, fetcher, log }: Options): Webhooks {
  const { webhooks, outbox } = database;
  const { send, close } = createDeliverer({ ...database, fetcher, host: config, log });
  return {
    pages: withPageEvents(pages, { ...database, onError: createErrorLog(log, 'webhooks') }),
    services: { webhooks, outbox, sendDelivery: send },
    close,
  };
}
