import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import {
  type Client,
  isOnPostgresql,
  MEAL_PLANNER,
  newDatabase,
  openApp,
  openRaw,
  type RestEmbed,
  shareApp,
} from '../open-app.ts';
import { embedOf } from './embeds/embed-of.ts';

const gateway = shareApp();

interface Change {
  readonly cursor: string;
  readonly kind: string;
  readonly embed_id: string;
  readonly at: string;
  readonly embed: RestEmbed | null;
}

async function read(client: Client, after?: string, first = 100) {
  const query = new URLSearchParams({ first: String(first), ...(after && { after }) });
  const { status, body, headers } = await client.rest('GET', `/v1/changes?${query}`);
  const { changes = [], pagination } = body as { changes?: Change[]; pagination?: { end_cursor: string } };
  return { status, body, headers, changes, end: pagination?.end_cursor ?? '' };
}

const linesOf = (changes: readonly Change[]) => changes.map(({ kind, embed_id }) => `${kind} ${embed_id}`);

test('creates, updates and deletes are listed in their order, and the end of an empty page is a cursor too', async () => {
  const [ada, bob] = [await gateway.as('ada'), await gateway.as('bob')];
  const nothing = await read(ada);
  expect([nothing.status, nothing.changes]).toEqual([200, []]);
  const [a, b] = [await ada.create({ external_id: 'a' }), await ada.create()];
  await bob.create();
  await ada.rest('PATCH', `/v1/embeds/${b.id}`, { font: 'Lora' });
  // without an effect
  await ada.rest('PATCH', `/v1/embeds/${b.id}`, { font: 'Lora' });
  await ada.rest('POST', '/v1/embeds', {
    ...{ page_url: MEAL_PLANNER, font: 'Inter', external_id: 'a', on_conflict: 'update' },
  });
  await ada.rest('DELETE', `/v1/embeds/${b.id}`);
  const expected = [`created ${a.id}`, `created ${b.id}`, `updated ${b.id}`, `updated ${a.id}`, `deleted ${b.id}`];
  const all = await read(ada);
  expect(linesOf(all.changes)).toEqual(expected);
  const current = (await ada.rest('GET', `/v1/embeds/${a.id}`)).body.embed;
  expect(all.changes.map(({ embed }) => embed)).toEqual([current, null, null, current, null]);
  expect(all.changes.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 60_000)).toBe(true);
  expect(linesOf((await read(ada, nothing.end)).changes)).toEqual(expected);
  for (const [i, { cursor }] of all.changes.entries()) {
    expect(linesOf((await read(ada, cursor)).changes)).toEqual(expected.slice(i + 1));
  }
  const last = await read(ada, all.end);
  expect([last.changes, last.end, last.body.pagination.has_next_page]).toEqual([[], all.end, false]);

  const pages: string[] = [];
  for (let after: string | undefined, hasNext = true; hasNext; ) {
    const { changes, end, body, headers } = await read(ada, after, 2);
    pages.push(...linesOf(changes));
    [after, hasNext] = [end, body.pagination.has_next_page];
    expect(headers.get('link')).toBe(hasNext ? `</v1/changes?first=2&after=${end}>; rel="next"` : null);
  }
  expect(pages).toEqual(expected);
});

test('GraphQL lists the same changes', async () => {
  const ada = await gateway.as('ada');
  const { end: start } = await read(ada);
  const { id } = await ada.create();
  await ada.rest('DELETE', `/v1/embeds/${id}`);
  const { changes, end } = await read(ada);
  const query = `query($after: String) { changes(first: 5, after: $after) {
    edges { cursor node { kind embedId at embed { id } } } nodes { kind } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
  } }`;
  expect((await ada.graphql(query)).data.changes).toEqual({
    edges: changes.map(({ cursor, kind, embed_id, at }) => ({
      ...{ cursor, node: { kind: kind.toUpperCase(), embedId: embed_id, at, embed: null } },
    })),
    nodes: [{ kind: 'CREATED' }, { kind: 'DELETED' }],
    pageInfo: { startCursor: changes[0]?.cursor, endCursor: end, hasNextPage: false, hasPreviousPage: false },
  });
  const hasPrevious = async (after?: string) =>
    (await ada.graphql(query, { after })).data.changes.pageInfo.hasPreviousPage;
  expect([await hasPrevious(start), await hasPrevious(changes[0]?.cursor)]).toEqual([false, true]);
  const { data, errors } = await ada.graphql(query, { after: `${'0'.repeat(16)}-1` });
  expect([data, errors[0]?.extensions.code]).toEqual([null, 'GONE']);
});

test('changes of batches, of other processes and of the time without a gateway are listed, each once', async () => {
  const databaseUrl = await newDatabase();
  const first = await openApp({ databaseUrl });
  const ada = await first.as('ada');
  const { end: start } = await read(ada);
  const created = await Promise.all(Array.from({ length: 150 }, () => ada.create()));
  const other = await openDatabase(databaseUrl, { durability: 'fast' });
  const { embed: late } = await other.embeds.insert(embedOf('ada'));
  await other.close();
  const second = await openApp({ databaseUrl });
  const listed: string[] = [];
  for (let after = start; ; ) {
    const { changes, end } = await read(await second.as('ada'), after);
    if (changes.length === 0) break;
    listed.push(...changes.map(({ embed_id }) => embed_id));
    after = end;
  }
  expect(listed.toSorted()).toEqual([...created.map(({ id }) => id), late.id].toSorted());
  expect(listed.at(-1)).toBe(late.id);
});

test('a cursor of a stream continues as a list, and a cursor of a list as a stream', async () => {
  const { as, database } = await openApp({ databaseUrl: await newDatabase() });
  const ada = await as('ada');
  const stream = await database.changes.follow('ada');
  const [a, b] = [await ada.create(), await ada.create()];
  const { mark, number } = (await stream.next()).value ?? { mark: '', number: 0 };
  const { changes, end } = await read(ada, `${mark}-${number}`);
  expect(linesOf(changes)).toEqual([`created ${b.id}`]);
  await ada.rest('DELETE', `/v1/embeds/${a.id}`);
  const continued = await database.changes.follow('ada', end);
  expect((await continued.next()).value).toMatchObject({ kind: 'DELETED', embedId: a.id });
});

test('a stream that continues after changes of another process, which an older stream has yet to receive, does not repeat them', async () => {
  const databaseUrl = await newDatabase();
  const { as, database } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const older = await database.changes.follow('ada');
  const other = await openDatabase(databaseUrl, { durability: 'fast' });
  onTestFinished(() => other.close());
  const { embed: first } = await other.embeds.insert(embedOf('ada'));
  const continued = await database.changes.follow('ada', (await read(ada)).end);
  const { id } = await ada.create();
  expect((await continued.next()).value).toMatchObject({ kind: 'CREATED', embedId: id });
  const received = [await older.next(), await older.next()].map(({ value }) => value?.embedId);
  expect(received).toEqual([first.id, id]);
});

test('a cursor after which changes are not kept any more, or of another account, is gone', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl });
  const [ada, bob] = [await as('ada'), await as('bob')];
  const { end: start } = await read(ada);
  for (let i = 0; i < 3; i++) await ada.create();
  await bob.create();
  const { changes, end } = await read(ada);
  const raw = await openRaw(databaseUrl);
  const number = isOnPostgresql ? 'lastNumber' : 'number';
  await raw.query(`DELETE FROM "EmbedChange" WHERE "accountId" = 'ada' AND "${number}" <= 2`);
  const statusAfter = async (cursor?: string) => (await read(ada, cursor)).status;
  const first = await read(ada, changes[0]?.cursor);
  expect([first.status, first.body.code, first.body.detail]).toEqual([
    410,
    'gone',
    expect.stringContaining('list the embeds anew'),
  ]);
  expect(await statusAfter(start)).toBe(410);
  expect(await statusAfter((await read(bob)).end)).toBe(410);
  expect(await statusAfter(end.replace(/\d+$/, '7'))).toBe(410);
  expect(await statusAfter(end.replace(/^.{4}/, 'abcd'))).toBe(410);
  expect(linesOf((await read(ada)).changes)).toEqual(linesOf(changes.slice(2)));
  expect(await statusAfter(end)).toBe(200);
  for (const after of ['x', '', '-1', `${end}0000000000000000`]) {
    const { status, body } = await ada.rest('GET', `/v1/changes?first=0&after=${after}`);
    const message = 'must be the cursor of a change';
    const faults = [expect.objectContaining({ path: 'first' }), { path: 'after', message }];
    expect([status, body.errors]).toEqual([422, faults]);
  }
  expect((await (await as('ada', ['write', 'admin'])).rest('GET', '/v1/changes')).status).toBe(403);
});

test.skipIf(isOnPostgresql)(
  'SQLite keeps at least the last 100,000 changes of an account, and at most 1,000 more',
  async () => {
    const url = await newDatabase();
    const database = await openDatabase(url, { durability: 'fast' });
    onTestFinished(() => database.close());
    await database.tokens.ensureAccount('ada', new Date());
    const { embed } = await database.embeds.insert(embedOf('ada'));
    const raw = await openRaw(url);
    await raw.query(`UPDATE "Account" SET "changeCount" = 100999`);
    await raw.query(`UPDATE "Embed" SET "version" = 2`);
    const { changes } = await database.changes.readPage('ada', { size: 10, after: undefined });
    expect(changes.map(({ kind, number }) => [kind, number])).toEqual([['UPDATED', 101_000]]);
    await database.embeds.delete('ada', embed.id);
    expect((await database.changes.readPage('ada', { size: 1, after: undefined })).isCut).toBe(true);
  },
);
