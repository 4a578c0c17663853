import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PageVersionText } from '../../src/domain/page-version.ts';
import { createRecordChange } from '../../src/pages/page-history.ts';
import { openPageVersions } from '../../src/store/pages/page-versions.ts';
import { openClient } from '../databases/client.ts';
import { type Client, newDatabase, openApp, openRaw } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';
import { statementsOf } from '../store/embeds/statements-of.ts';

const VERSIONS = `query($id: ID!, $first: Int, $after: String) { embed(id: $id) { page { versions(first: $first, after: $after) {
  nodes { fetchedAt text changes { kind text } } pageInfo { endCursor hasNextPage hasPreviousPage }
} } } }`;

/** Opens a gateway with a page whose source can be changed. */
async function openWithPage() {
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  const source = { html: articlePage('Bread', '<p>Open on Monday.</p>'), headers: {} };
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...source.headers }).end(source.html);
  });
  const pageUrl = `${site.origin}/Bread-95747105f402490eba51d52e00496c1c`;
  /** One refresh of an embed in 10 s: each time another embed of the page refreshes it. */
  const refresh = async () => {
    const { id } = await ada.create({ page_url: pageUrl });
    expect((await ada.rest('POST', `/v1/embeds/${id}/refresh`)).status).toBe(200);
    return id;
  };
  const change = (text: string) => {
    source.html = articlePage('Bread', text);
    return refresh();
  };
  return { service, ada, source, pageUrl, refresh, change };
}

async function versionsOf(client: Client, id: string, paging = {}) {
  const { data, errors } = await client.graphql(VERSIONS, { id, ...paging });
  expect(errors).toEqual([]);
  return data.embed.page.versions;
}

test('keeps the texts of a page that changes, newest first, each with what changed', async () => {
  const { ada, refresh, change } = await openWithPage();
  const id = await refresh();
  await refresh();
  expect((await versionsOf(ada, id)).nodes).toEqual([]);
  await change('<p>Open   on Monday.</p>');
  expect((await versionsOf(ada, id)).nodes).toEqual([]);
  await change('<p>Open on Tuesday.</p><p>Closed in May.</p>');
  await change('<p>Open on Tuesday.</p>');
  const { nodes } = await versionsOf(ada, id);
  expect(nodes.map(({ changes }: { changes: unknown }) => changes)).toEqual([
    [{ kind: 'REMOVED', text: 'Closed in May.' }],
    [
      { kind: 'REMOVED', text: 'Open on Monday.' },
      { kind: 'ADDED', text: 'Open on Tuesday.' },
      { kind: 'ADDED', text: 'Closed in May.' },
    ],
    [],
  ]);
  expect(nodes[2].text).toMatch(/^The pantry list[\s\S]*\n\nOpen on Monday\.$/);
  const times = nodes.map(({ fetchedAt }: { fetchedAt: string }) => fetchedAt);
  expect(times).toEqual(times.toSorted().toReversed());

  const first = await versionsOf(ada, id, { first: 2 });
  expect(first.nodes).toEqual(nodes.slice(0, 2));
  expect(first.pageInfo).toEqual({ endCursor: times[1], hasNextPage: true, hasPreviousPage: false });
  const rest = await versionsOf(ada, id, { first: 2, after: times[1] });
  expect(rest.nodes).toEqual(nodes.slice(2));
  expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const later = await versionsOf(ada, id, { after: new Date(Date.parse(times[0]) + 1).toISOString() });
  expect([later.nodes, later.pageInfo.hasPreviousPage]).toEqual([nodes, false]);
});

test('tells which item of a list, row of a table and line of code changed', async () => {
  const { ada, change } = await openWithPage();
  const pageOf = (item: string, cell: string, line: string) =>
    `<ul><li>Rye flour</li><li>${item}</li></ul><table><tr><th>Day</th><th>Loaves</th></tr><tr><td>Monday</td><td>${cell}</td></tr></table><pre>knead();\n${line}</pre>`;
  await change(pageOf('Salt', '7', 'bake();'));
  const id = await change(pageOf('Sea salt', '8', 'bake(220);'));
  const [{ changes }] = (await versionsOf(ada, id)).nodes;
  expect(changes.map(({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`)).toEqual([
    'REMOVED Salt',
    'ADDED Sea salt',
    'REMOVED Monday 7',
    'ADDED Monday 8',
    'REMOVED bake();',
    'ADDED bake(220);',
  ]);
});

test('a page that forbids copies, or is gone, loses its versions', async () => {
  const { ada, source, refresh, change } = await openWithPage();
  const id = await refresh();
  await change('<p>Open on Tuesday.</p>');
  expect((await versionsOf(ada, id)).nodes).toHaveLength(2);
  source.headers = { 'x-robots-tag': 'noarchive' };
  await refresh();
  expect((await versionsOf(ada, id)).nodes).toEqual([]);
});

test('a page that is gone loses its versions, also if its copy was deleted for its size', async () => {
  const { service, pageUrl, refresh, change } = await openWithPage();
  await refresh();
  await change('<p>Open on Tuesday.</p>');
  const { pageVersions } = service.database;
  const recordChange = createRecordChange(null as never, pageVersions);
  const failure = { state: 'GONE', reason: null } as const;
  await recordChange({ pageUrl, version: null, failure } as never, null);
  expect(await pageVersions.find(pageUrl)).toEqual([]);
});

test('wrong paging is refused', async () => {
  const { ada, refresh } = await openWithPage();
  const { errors } = await ada.graphql(VERSIONS, { id: await refresh(), first: 0, after: 'x' });
  expect(errors?.[0]?.extensions.errors).toMatchObject([{ path: 'first' }, { path: 'after' }]);
});

test('many short paragraphs, and values that are selected again, count by what the response takes for them', async () => {
  const { service, ada, pageUrl, refresh } = await openWithPage();
  const id = await refresh();
  const linesOf = (text: string) => Array<string>(100_000).fill(text);
  const [before, version] = ['a', 'b'].map((text, i) => ({
    fetchedAt: new Date(Date.now() + i),
    paragraphs: linesOf(text),
  }));
  if (!before || !version) throw new Error('There are two versions.');
  await service.database.pageVersions.add(pageUrl, before, version);
  const messageOf = async (values: string, lists = 'nodes { ...Values }') => {
    const query = `query($id: ID!) { embed(id: $id) { page { versions(first: 1) { ${lists} } } } }
      fragment Values on PageVersion { ${values} }`;
    return (await ada.graphql(query, { id })).errors[0]?.message ?? null;
  };
  const tooMuch = expect.stringContaining('must not take more than 16 MB in one request');
  expect(await messageOf('changes { kind text __typename }')).toEqual(tooMuch);
  expect(await messageOf('a: text b: text c: text')).toEqual(tooMuch);
  expect(
    await messageOf('text', 'a: nodes { ...Values } b: nodes { ...Values } c: edges { node { ...Values } }'),
  ).toEqual(tooMuch);
  expect(
    await messageOf('text __typename changes { text }', '__typename nodes { ...Values __typename text }'),
  ).toBeNull();
});

test('ten versions of a page are kept, for 90 days, and no text that is too long', async () => {
  const { service } = await openWithPage();
  const { pageVersions } = service.database;
  const versionAt = (day: number): PageVersionText => {
    return { fetchedAt: new Date(Date.now() - (100 - day) * 86_400_000), paragraphs: [`Day ${day}.`] };
  };
  const url = 'https://example.com/';
  for (let day = 85; day < 99; day++) await pageVersions.add(url, versionAt(day - 1), versionAt(day));
  const kept = await pageVersions.find(url);
  expect(kept.map(({ paragraphs }) => paragraphs[0])).toEqual(Array.from({ length: 10 }, (_, i) => `Day ${98 - i}.`));
  await pageVersions.add('https://example.com/old', versionAt(5), versionAt(99));
  expect((await pageVersions.find('https://example.com/old')).map(({ paragraphs }) => paragraphs)).toEqual([
    ['Day 99.'],
  ]);
  const huge = { fetchedAt: new Date(), paragraphs: Array.from({ length: 60_000 }, () => String(Math.random())) };
  await pageVersions.add(url, versionAt(98), huge);
  expect(await pageVersions.find(url)).toEqual(kept);
});

test('above 64 MB of versions, the oldest of all pages are deleted, down to nine tenths', async () => {
  const databaseUrl = await newDatabase();
  const { pageVersions } = (await openApp({ databaseUrl })).database;
  const url = 'https://example.com/';
  const at = (minute: number) => new Date(Date.now() - (1_000 - minute) * 60_000);
  for (let i = 0; i < 75; i++) {
    const [before, after] = [2 * i, 2 * i + 1].map((minute) => ({ fetchedAt: at(minute), paragraphs: [`${minute}`] }));
    if (before && after) await pageVersions.add(`${url}${i}`, before, after);
  }
  const countLeft = async () => {
    const left = await Promise.all(Array.from({ length: 75 }, (_, i) => pageVersions.find(`${url}${i}`)));
    return left.flat().length;
  };
  expect(await countLeft()).toBe(150);
  const raw = await openRaw(databaseUrl);
  await raw.query('UPDATE "PageVersion" SET "bytes" = 500000');
  const { pageVersions: restarted } = (await openApp({ databaseUrl })).database;
  await restarted.add(url, { fetchedAt: at(998), paragraphs: ['a'] }, { fetchedAt: at(999), paragraphs: ['b'] });
  expect(await countLeft()).toBe(120);
  expect(await pageVersions.find(`${url}14`)).toEqual([]);
  expect(await pageVersions.find(url)).toHaveLength(2);
});

test('versions of more than 90 days are not shown, also if nothing was written since', async () => {
  const databaseUrl = await newDatabase();
  const { pageVersions } = (await openApp({ databaseUrl })).database;
  const url = 'https://example.com/';
  const [before, after] = [new Date(Date.now() - 1_000), new Date()];
  await pageVersions.add(url, { fetchedAt: before, paragraphs: ['A'] }, { fetchedAt: after, paragraphs: ['B'] });
  expect(await pageVersions.find(url)).toHaveLength(2);
  const raw = await openRaw(databaseUrl);
  const old = new Date(Date.now() - 91 * 86_400_000).toISOString().replace('Z', '+00:00');
  const isFirst = '"fetchedAt" = (SELECT min("fetchedAt") FROM "PageVersion")';
  await raw.query(`UPDATE "PageVersion" SET "fetchedAt" = '${old}' WHERE ${isFirst}`);
  expect((await pageVersions.find(url)).map(({ paragraphs }) => paragraphs)).toEqual([['B']]);
});

test('all texts together are bounded, also those of two gateways, and few writes read the size of all', async () => {
  const client = openClient(await newDatabase());
  const maxBytes = 100_000;
  const gateways = [1, 2].map(() => openPageVersions(client, () => new Date(), maxBytes));
  const totals: number[] = [];
  const versionOf = (i: number) => ({
    fetchedAt: new Date(Date.now() - 1_000_000 + i),
    paragraphs: [randomBytes(500).toString('hex')],
  });
  const statements = await statementsOf(async () => {
    for (let i = 0; i < 300; i++) {
      await gateways[i % 2]?.add(`https://example.com/${i}`, versionOf(2 * i), versionOf(2 * i + 1));
      const rows = await client.pageVersion.findMany({ select: { bytes: true } });
      totals.push(rows.reduce((sum, { bytes }) => sum + bytes, 0));
    }
  });
  expect(Math.max(...totals)).toBeLessThan(1.3 * maxBytes);
  expect(Math.min(...totals.slice(100))).toBeGreaterThan(20_000);
  expect(statements.filter((text) => /SUM\(/i.test(text)).length).toBeLessThan(100);
});
