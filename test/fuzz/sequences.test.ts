import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventIdOf, type FeedChange } from '../../src/store/changes/feed.ts';
import { MEAL_PLANNER, newDatabase, openApp, type TestApp } from '../open-app.ts';
import { check, runsOf } from './check.ts';

/** The model of an embed. */
interface Kept extends Readonly<Record<'id' | 'mode' | 'font', string>> {
  readonly version: number;
  readonly externalId: string | null;
}

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const anyStep = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'delete', 'updateAll', 'follow'),
  gateway: fc.constantFrom(0 as const, 1 as const),
  isRest: fc.boolean(),
  at: fc.nat(9),
  mode: fc.constantFrom('light', 'dark', 'auto'),
  font: sometimes(fc.constantFrom('default', 'Lora')),
  externalId: sometimes(fc.constantFrom('a', 'b')),
  rule: fc.constantFrom('error', 'return', 'update'),
  key: sometimes(fc.constantFrom('k', 'l', 'm', 'n')),
  isStale: fc.boolean(),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

const FIELDS = 'id mode font version externalId';
const LIST = `{ embeds(first: 100) { nodes { ${FIELDS} } totalCount } }`;
const UPDATE = 'mutation($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { id } } }';
const DELETE = 'mutation($input: DeleteEmbedInput!) { deleteEmbed(input: $input) { message } }';
const UPDATE_ALL = `mutation($input: UpdateEmbedsInput!) { updateEmbeds(input: $input) { embeds { ${FIELDS} } } }`;

const STATUSES = { OK: 200, NOT_FOUND: 404, CONFLICT: 412 };

/** Opens an account at both gateways, and its model. */
async function openAccount(apps: readonly [TestApp, TestApp], accountId: string) {
  const ada = await apps[0].as(accountId);
  const clients = [ada, apps[1].withAuthorization(ada.authorization)] as const;
  const embeds = new Map<string, Kept>();
  const created: string[] = [];
  const changes: string[] = [];
  const keys = new Map<string, { readonly sent: string; readonly id: string }>();
  const follow = (gateway: 0 | 1, cursor?: string) => apps[gateway].database.changes.follow(accountId, cursor);
  const streams = [{ from: 0, stream: await follow(0) }];
  streams.push({ from: 0, stream: await follow(1) });
  const newestFirst = () => [...embeds.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const readFeed = async () => (await ada.rest('GET', '/v1/changes?first=100')).body.changes;
  const idOf = ({ value }: { value: FeedChange | undefined }) => value && eventIdOf(value);
  const lineOf = ({ kind, embed_id }: { kind: string; embed_id: string }) => `${kind} ${embed_id}`;
  const toModel = (nodes: readonly Kept[]) => nodes.map((node) => ({ ...node, mode: node.mode.toLowerCase() }));

  function put(embed: Omit<Kept, 'version'>): void {
    const before = embeds.get(embed.id);
    if (before?.mode === embed.mode && before.font === embed.font) return;
    if (!before) created.push(embed.id);
    changes.push(`${before ? 'updated' : 'created'} ${embed.id}`);
    embeds.set(embed.id, { ...embed, version: (before?.version ?? 0) + 1 });
  }

  async function create({ gateway, mode, font = 'default', externalId, rule, key }: Step): Promise<void> {
    const byExternalId = externalId && { external_id: externalId, on_conflict: rule };
    const body = JSON.stringify({ page_url: MEAL_PLANNER, mode, font, ...byExternalId });
    const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) };
    const response = await clients[gateway].fetch('/v1/embeds', { method: 'POST', body, headers });
    const { embed, code } = await response.json();
    const known = keys.get(key ?? '');
    const taken = newestFirst().find((one) => externalId && one.externalId === externalId);
    if (known) return expect(known.sent === body ? embed.id : code).toBe(known.sent === body ? known.id : 'invalid');
    if (taken && rule === 'error') return expect(code).toBe('conflict');
    expect([response.status, embed?.id]).toEqual(taken ? [200, taken.id] : [201, expect.any(String)]);
    if (key) keys.set(key, { sent: body, id: embed.id });
    if (!taken || rule === 'update') put({ ...{ id: embed.id, mode, font }, externalId: externalId ?? null });
  }

  async function change({ kind, gateway, isRest, at, mode, font, isStale }: Step): Promise<void> {
    const client = clients[gateway];
    const id = created[at % (created.length + 1)] ?? '01jd3y5v7r8k9m2n4p6q8s0tvw';
    const current = embeds.get(id);
    const code = current ? (isStale ? 'CONFLICT' : 'OK') : 'NOT_FOUND';
    const isDelete = kind === 'delete';
    if (isRest) {
      const tag = isStale || !current ? '"old"' : (await client.rest('GET', `/v1/embeds/${id}`)).headers.get('etag');
      const [method, body] = isDelete ? ['DELETE', null] : ['PATCH', JSON.stringify({ mode, ...(font && { font }) })];
      const headers = { 'content-type': 'application/json', 'if-match': tag ?? '' };
      expect((await client.fetch(`/v1/embeds/${id}`, { method, body, headers })).status).toBe(STATUSES[code]);
    } else {
      const target = { id, expectedVersion: (current?.version ?? 1) + (isStale ? 1 : 0) };
      const input = isDelete ? target : { ...target, mode: mode.toUpperCase(), ...(font && { font }) };
      const { errors } = await client.graphql(isDelete ? DELETE : UPDATE, { input });
      expect(errors[0]?.extensions.code ?? 'OK').toBe(code);
    }
    if (!current || isStale) return;
    if (!isDelete) return put({ ...current, mode, font: font ?? current.font });
    embeds.delete(id);
    changes.push(`deleted ${id}`);
  }

  async function updateAll({ gateway, mode, font = 'default' }: Step): Promise<void> {
    const matching = newestFirst().filter((one) => one.mode === mode);
    const input = { filter: { mode: mode.toUpperCase() }, font };
    const { data } = await clients[gateway].graphql(UPDATE_ALL, { input });
    const before = changes.length;
    for (const one of matching) put({ ...one, font });
    expect(toModel(data.updateEmbeds.embeds)).toEqual(matching.map(({ id }) => embeds.get(id)));
    // the changes of one call have no order
    const made = changes.splice(before).toSorted();
    changes.push(...(await readFeed()).slice(before).map(lineOf));
    expect(changes.slice(before).toSorted()).toEqual(made);
  }

  async function run(step: Step): Promise<void> {
    if (step.kind === 'create') return create(step);
    if (step.kind === 'updateAll') return updateAll(step);
    if (step.kind !== 'follow') return change(step);
    const from = Math.max(0, changes.length - step.at);
    const { cursor } = (await readFeed())[from - 1] ?? {};
    if (cursor) streams.push({ from, stream: await follow(step.gateway, cursor) });
  }

  async function expectModel(): Promise<void> {
    // with its own change, a gateway reads those of the other one at once: all but the last one
    for (const client of clients) {
      const { id, mode, font } = await client.create();
      put({ id, mode, font, externalId: null });
    }
    const feed: { cursor: string; kind: string; embed_id: string }[] = await readFeed();
    expect(feed.map(lineOf)).toEqual(changes);
    for (const client of clients) {
      const { nodes, totalCount } = (await client.graphql(LIST)).data.embeds;
      expect([toModel(nodes), totalCount]).toEqual([newestFirst(), embeds.size]);
    }
    for (const { stream, from } of streams) {
      for (const { cursor } of feed.slice(from, -1)) expect(idOf(await stream.next())).toBe(cursor);
      await stream.return?.();
    }
  }
  return { run, expectModel };
}

test('random writes through both APIs of two gateways leave the embeds, changes and streams of a model', async () => {
  const databaseUrl = await newDatabase();
  const apps = [await openApp({ databaseUrl, rateLimit: 0 }), await openApp({ databaseUrl, rateLimit: 0 })] as const;
  let accounts = 0;
  await check(runsOf(160), fc.array(anyStep, { maxLength: 30, size: 'max' }), async (steps) => {
    const { run, expectModel } = await openAccount(apps, `ada-${accounts++}`);
    for (const step of steps) await run(step);
    await expectModel();
  });
  expect(apps.flatMap(({ logged }) => logged).filter((line) => 'err' in line)).toEqual([]);
});
