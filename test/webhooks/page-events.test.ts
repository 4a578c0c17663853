import { expect, test } from 'vitest';
import type { StoredPage } from '../../src/domain/page-copy.ts';
import type { Database } from '../../src/store/database.ts';
import { withPageEvents } from '../../src/webhooks/page-events.ts';
import { type Client, MEAL_PLANNER, openApp } from '../open-app.ts';
import { statementsOf } from '../store/embeds/statements-of.ts';

const GONE = { state: 'GONE', reason: 'http-410' } as const;

function copyOf(failure: StoredPage['failure']): StoredPage {
  const at = new Date();
  return { pageUrl: MEAL_PLANNER, triedAt: at, freshUntil: at, failure, version: null };
}

async function follow(client: Client, events = ['page.state_changed']) {
  const { status } = await client.rest('POST', '/v1/webhooks', { url: 'https://example.com/', events });
  expect(status).toBe(201);
}

/** Records the accounts of the webhooks that are read. */
function openPages(database: Database, read: string[] = []) {
  const onError = (error: unknown) => {
    throw error;
  };
  const outbox = {
    ...database.outbox,
    async findPageWebhooks(pageId: string) {
      const webhooks = await database.outbox.findPageWebhooks(pageId);
      read.push(...webhooks.map(({ accountId }) => accountId));
      return webhooks;
    },
  };
  return withPageEvents(database.pages, { ...database, outbox, onError });
}

test('a copy with news reads the webhooks and embeds of the accounts that show the page, others read none', async () => {
  const { database, as } = await openApp();
  const ada = await as('ada');
  await ada.create({ page_url: MEAL_PLANNER });
  await follow(ada);
  for (const name of ['bob', 'carol', 'dave']) {
    const stranger = await as(name);
    await stranger.create({ page_url: 'https://example.com/Larder-85747105f402490eba51d52e00496c1c' });
    await follow(stranger);
  }
  const read: string[] = [];
  const pages = openPages(database, read);
  const readsOfEmbeds = async (failure: StoredPage['failure']) => {
    const statements = await statementsOf(() => pages.save(copyOf(failure)));
    return statements.filter((sql) => /FROM "Embed" AS e\b/.test(sql));
  };
  expect([await readsOfEmbeds(null), read]).toEqual([[], []]);
  const ofNews = await readsOfEmbeds(GONE);
  expect(read).toEqual(['ada']);
  // the length of the list of Ada, and the list, after the accounts with the page: on a cluster, those of each shard
  expect(ofNews.filter((sql) => !sql.includes('"Webhook"'))).toHaveLength(2);
  expect([await readsOfEmbeds(GONE), read]).toEqual([[], ['ada']]);
});

test('the events of a page go to each account that shows it, once for each webhook that wants them', async () => {
  const { database, as } = await openApp();
  const [ada, bob, carol] = [await as('ada'), await as('bob'), await as('carol')];
  for (const client of [ada, bob, carol]) await client.create({ page_url: MEAL_PLANNER });
  await follow(ada);
  await follow(ada, ['page.changed', 'page.state_changed']);
  await follow(bob);
  await follow(carol, ['page.changed']);
  await openPages(database).save(copyOf(GONE));
  const counts = [ada, bob, carol].map(async (client) => {
    const { webhooks } = (await client.rest('GET', '/v1/webhooks')).body;
    const deliveries = webhooks.map(async ({ id }: { id: string }) => {
      const list = (await client.rest('GET', `/v1/webhooks/${id}/deliveries`)).body.deliveries;
      return list.filter(({ type }: { type: string }) => type.startsWith('page.')).length;
    });
    return Promise.all(deliveries);
  });
  expect(await Promise.all(counts)).toEqual([[1, 1], [1], [0]]);
});

test('a webhook that is deleted while its events are added takes no event from others', async () => {
  const { database, as } = await openApp();
  const [ada, bob] = [await as('ada'), await as('bob')];
  for (const client of [ada, bob]) {
    await client.create({ page_url: MEAL_PLANNER });
    await follow(client);
    await follow(client);
  }
  const webhooksOf = async (client: Client) => (await client.rest('GET', '/v1/webhooks')).body.webhooks;
  const createList: Database['createList'] = (accountId, filter) => {
    const list = database.createList(accountId, filter);
    const client = accountId === 'ada' ? ada : bob;
    return {
      ...list,
      async findPage(paging) {
        const [{ id }] = await webhooksOf(client);
        await client.rest('DELETE', `/v1/webhooks/${id}`);
        return list.findPage(paging);
      },
    };
  };
  await openPages({ ...database, createList }).save(copyOf(GONE));
  for (const client of [ada, bob]) {
    const [{ id }, ...others] = await webhooksOf(client);
    expect(others).toEqual([]);
    const { deliveries } = (await client.rest('GET', `/v1/webhooks/${id}/deliveries`)).body;
    expect(deliveries.map(({ type }: { type: string }) => type)).toEqual(['page.state_changed']);
  }
});

test('a create reads no webhook where nothing follows', async () => {
  const { as } = await openApp();
  const ada = await as('ada');
  await ada.create();
  const statements = await statementsOf(async () => void (await ada.create()));
  // the app looks for due deliveries and checks at any time
  expect(statements.filter((sql) => /Webhook|Watch/.test(sql) && !sql.includes('dueAt'))).toEqual([]);
});
