import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { cannotHoldOnCitus, newPostgresql } from '../databases/database.ts';
import { newDatabase, openApp, openRaw, type RestEmbed } from '../open-app.ts';
import { embedOf } from '../store/embeds/embed-of.ts';

const recount = (url: string) => runInProcess('recount', [], { DATABASE_URL: url });

/** Restores the rows of two tables as a dump of the rows alone does: the triggers of the third run again. */
const RESTORE_ROWS = [
  `UPDATE "Account" SET "embedCount" = "embedCount" * 2`,
  `INSERT INTO "EmbedTerm" SELECT * FROM "EmbedTerm"`,
];

test.each([
  ['the totals', RESTORE_ROWS.slice(0, 1), /the total of the account (ada is 6 instead of 3|bob is 2 instead of 1)/],
  ['the words of embeds', RESTORE_ROWS.slice(1), /a word of the embed \w+ is indexed twice/],
])(
  'a database in which a restore has doubled %s is refused until recount has corrected it',
  async (_, doubling, fault) => {
    const url = await newDatabase();
    const { as, database } = await openApp({ databaseUrl: url });
    const ada = await as('ada');
    const bob = await as('bob');
    for (let i = 0; i < 3; i++) await ada.create({ page_url: 'https://example.com/Soup' });
    await bob.create();
    await database.close();
    const raw = await openRaw(url);
    for (const statement of doubling) await raw.query(statement);
    await expect(openDatabase(url)).rejects.toThrow(fault);
    await expect(openDatabase(url)).rejects.toThrow(/run "npx embed-gateway recount", and start again\.$/);

    expect(await recount(url)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Counted and indexed the embeds of 2 accounts /),
    });
    const { withAuthorization } = await openApp({ databaseUrl: url });
    const { body } = await withAuthorization(ada.authorization).rest('GET', '/v1/embeds?search=soup');
    expect(body.total_count).toBe(3);
    expect(new Set(body.embeds.map(({ id }: RestEmbed) => id)).size).toBe(3);
    expect(await raw.query('SELECT "embedCount" FROM "Account" ORDER BY "id"')).toEqual([
      { embedCount: 3 },
      { embedCount: 1 },
    ]);
  },
);

test('totals of large accounts are checked up to a bound, and recount does not change right ones', async () => {
  const url = await newDatabase();
  const { as, database } = await openApp({ databaseUrl: url });
  await as('ada');
  await Promise.all(Array.from({ length: 130 }, () => database.embeds.insert(embedOf('ada'))));
  await database.close();
  await (await openDatabase(url)).close();
  expect((await recount(url)).stdout).toMatch(/ corrected 0 totals\./);
  await (await openRaw(url)).query(`UPDATE "Account" SET "embedCount" = 65`);
  await expect(openDatabase(url)).rejects.toThrow(/is 65 instead of 101 or more/);
});

test.skipIf(cannotHoldOnCitus('its tables are distributed'))(
  'the tables of a cluster that are not distributed are refused, and can be copied',
  async () => {
    const url = await newPostgresql();
    const { as, database } = await openApp({ databaseUrl: url });
    const ada = await as('ada');
    const { id } = await ada.create();
    await database.close();
    const raw = await openRaw(url);
    // as the dump of a coordinator has them
    await raw.query('ALTER TABLE "Embed" DROP CONSTRAINT "Embed_pkey", ADD PRIMARY KEY ("accountId", "id")');
    await raw.query('CREATE INDEX "Embed_id_idx" ON "Embed" USING hash ("id")');
    const refusal =
      /has the tables of a Citus cluster, but they are not distributed: .* "npx embed-gateway copy --from <this database> --to <that database>"\.$/;
    await expect(openDatabase(url)).rejects.toThrow(refusal);
    expect(await recount(url)).toMatchObject({ code: 1, stderr: expect.stringMatching(/not distributed/) });

    const to = await newDatabase();
    expect((await runInProcess('copy', ['--from', url, '--to', to], {})).code).toBe(0);
    const { withAuthorization } = await openApp({ databaseUrl: to });
    expect((await withAuthorization(ada.authorization).rest('GET', `/v1/embeds/${id}`)).status).toBe(200);
  },
);
