import { expect, onTestFinished, test } from 'vitest';
import { createToken, SCOPES } from '../../src/domain/identity/token.ts';
import { copyDatabase } from '../../src/store/copy/copy.ts';
import { openDatabase } from '../../src/store/database.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { openClient } from '../databases/client.ts';
import { newSqlite } from '../databases/database.ts';
import { MEAL_PLANNER, missingFile, newDatabase, openApp, openRaw } from '../open-app.ts';
import { embedOf } from '../store/embeds/embed-of.ts';

/** Writes accounts, tokens and more embeds than one batch of a copy has, not in the order of their keys. */
async function fill(url: string, embeds = 510) {
  const database = await openDatabase(url);
  const created = ['ada', 'bob', 'b-b', 'b.b', 'b_b'].map((accountId) =>
    createToken({ accountId, name: 'x', scopes: SCOPES, expiresAt: null }, new Date()),
  );
  for (const { token } of created) {
    await database.tokens.ensureAccount(token.accountId, token.createdAt);
    await database.tokens.insert(token);
  }
  const samples = Array.from({ length: embeds }, (_, i) =>
    embedOf(i % 3 === 0 ? 'ada' : 'b_b', { title: `Ünï "${i}" \\ 日本`, mode: i % 2 === 0 ? 'AUTO' : 'USER_DEFINED' }),
  );
  await Promise.all(samples.toReversed().map((embed) => database.embeds.insert(embed)));
  database.auditEvents.addCreated('ada', 'cli:ada', samples[0]?.id ?? '');
  await database.close();
  return { authorization: `Bearer ${created[0]?.text}`, samples };
}

const copy = (from: string, to: string) => runInProcess('copy', ['--from', from, '--to', to], {});

test('a copy from SQLite to PostgreSQL and back keeps every row, and its tokens and totals are right', async () => {
  const [from, middle, back] = [await newSqlite(), await newDatabase(), missingFile()];
  const { authorization, samples } = await fill(from);
  const views = ['ada', 'bob', 'b_b'].flatMap((accountId) =>
    Array.from({ length: 240 }, (_, i) => {
      const day = `2026-01-0${1 + (Math.floor(i / 6) % 8)}`;
      return { accountId, embedId: `e${Math.floor(i / 48)}`, day, site: `s${i % 6}`, views: i, reads: 0 };
    }),
  );
  await openClient(from).viewCount.createMany({ data: views.toReversed() });
  expect(await copy(from, middle)).toMatchObject({
    code: 0,
    stdout:
      'Copied 5 accounts, 5 tokens, 510 embeds, 0 keys, 0 imports, 1 audit events, 0 webhooks, 0 deliveries, 720 views. Both databases were read whole and are the same.\n',
  });
  expect((await copy(middle, back)).code).toBe(0);
  expect(await openClient(back).viewCount.count()).toBe(720);
  for (const databaseUrl of [middle, back]) {
    const { withAuthorization, database } = await openApp({ databaseUrl });
    const list = await withAuthorization(authorization).rest('GET', '/v1/embeds?first=1');
    expect(list.body).toMatchObject({ total_count: 170, embeds: [{ page_url: samples[0]?.pageUrl }] });
    for (const embed of samples.slice(0, 20)) expect(await database.embeds.findForAnyone(embed.id)).toEqual(embed);
    expect((await database.createList('b_b', null).count()).count).toBe(340);
  }
});

test('a target that is not empty is rejected and not changed', async () => {
  const [from, to] = [await newSqlite(), await newDatabase()];
  await fill(from, 1);
  const ada = await (await openApp({ databaseUrl: to })).as('ada');
  const embed = await ada.create({ page_url: MEAL_PLANNER });
  expect(await copy(from, to)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The target is not empty: .*\n$/),
  });
  expect((await ada.rest('GET', '/v1/embeds')).body).toMatchObject({ total_count: 1, embeds: [embed] });
  const absent = missingFile();
  expect((await copy(absent, to)).stderr).toBe(`There is no database ${absent.slice(5)}.\n`);
});

test('an interrupted copy continues from the same source only, and is compared as a whole', async () => {
  const [from, to] = [await newSqlite(), await newDatabase()];
  await fill(from);
  const raw = await openRaw(to);
  onTestFinished(async () => void (await raw.query('DROP TABLE IF EXISTS "_copy"')));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const copyUntil = (stopAfter: number) => {
    const controller = new AbortController();
    let copied = 0;
    let isCopying = false;
    const progress = {
      begin(phase: string) {
        isCopying = phase === 'copying';
      },
      advance(rows: number) {
        if (isCopying) copied += rows;
        if (copied >= stopAfter) controller.abort();
      },
    };
    return copyDatabase(from, to, { progress, log, signal: controller.signal });
  };
  await expect(copyUntil(500)).rejects.toThrow('Stopped. Run the same command again to continue.');
  const [before] = await raw.query('SELECT count(*)::int AS embeds FROM "Embed"');
  expect(before?.embeds).toBeGreaterThan(0);
  expect(before?.embeds).toBeLessThan(510);

  const other = await newSqlite();
  await fill(other, 1);
  expect((await copy(other, to)).stderr).toMatch(
    /^The target has an unfinished copy of .*: finish that copy, or use another target\.\n$/,
  );

  // another program writes to the target
  await raw.query(`UPDATE "Embed" SET "font" = 'Lora' WHERE "id" = (SELECT min("id") FROM "Embed")`);
  await expect(copyUntil(9_999)).rejects.toThrow('The copy differs from its source in the rows of embeds');
  await raw.query(`UPDATE "Embed" SET "font" = 'default'`);
  expect(await copyUntil(9_999)).toMatchObject({ resumedAt: 521 });
});

test.each(['PostgreSQL', 'SQLite'])(
  'a gateway rejects the unfinished copy on %s until the copy is complete',
  async (engine) => {
    const [from, to] =
      engine === 'SQLite' ? [await newDatabase(), await newSqlite()] : [await newSqlite(), await newDatabase()];
    await fill(from, 20);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const controller = new AbortController();
    const progress = { begin: () => {}, advance: (rows: number) => rows > 0 && controller.abort() };
    await expect(copyDatabase(from, to, { progress, log, signal: controller.signal })).rejects.toThrow('Stopped');

    await expect(openDatabase(to)).rejects.toThrow(
      /^The database has an unfinished copy of [^\n]*: run the same "npx embed-gateway copy" again[^\n]*$/,
    );

    expect(await copy(from, to)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('rows were there from an interrupted copy'),
    });
    const database = await openDatabase(to);
    onTestFinished(() => database.close());
    expect(
      (await database.createList('ada', null).count()).count + (await database.createList('b_b', null).count()).count,
    ).toBe(20);
  },
);
