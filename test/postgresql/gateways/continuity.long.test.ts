import { expect, onTestFinished, test } from 'vitest';
import { eventIdOf } from '../../../src/store/changes/feed.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { cannotHoldOnCitus } from '../../databases/database.ts';
import { follow } from '../../graphql/event-source.ts';
import { newDatabase, openApp, openRaw } from '../../open-app.ts';
import { openService } from '../../open-service.ts';

const MISSED = 'Changes may have been missed';
const LOCK_WAITERS = `FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

test.skipIf(cannotHoldOnCitus('the sessions that wait for a lock are on workers'))(
  'an event waits while its embed cannot be read, so that no change looks like a deletion',
  async () => {
    const databaseUrl = await newDatabase();
    const { as, listener } = await openService({ databaseUrl });
    const ada = await as('ada');
    const { id } = await ada.create();
    const stream = await follow(listener.port, ada);
    const [writer, locker, observer] = await Promise.all([1, 2, 3].map(() => openRaw(databaseUrl)));
    if (!writer || !locker || !observer) throw new Error('no connections');

    await writer.query('BEGIN');
    await writer.query(`UPDATE "Embed" SET "font" = 'Other'`);
    await locker.query('BEGIN');
    // queued before the commit, so the gateway sees the change and cannot read the embed
    const locked = locker.query('LOCK TABLE "Embed" IN ACCESS EXCLUSIVE MODE');
    await expect.poll(() => observer.query(`SELECT 1 ${LOCK_WAITERS}`)).toHaveLength(1);
    await writer.query('COMMIT');
    await locked;
    const endReaders = () => observer.query(`SELECT pg_terminate_backend(pid) ${LOCK_WAITERS}`);
    await expect.poll(endReaders).toHaveLength(1);
    await expect.poll(endReaders).toHaveLength(1);
    await locker.query('COMMIT');

    const [event] = await stream.count(1);
    expect(event?.data).toEqual({
      data: { embedChanged: { kind: 'UPDATED', embedId: id, embed: { id, font: 'Other' } } },
    });
  },
);

test('streams that have seen a change that a failover undid end with an error, whatever the new primary has instead', async () => {
  const databaseUrl = await newDatabase();
  const { as, database } = await openApp({ databaseUrl });
  const raw = await openRaw(databaseUrl);
  const update = (id: string) => raw.query(`UPDATE "Embed" SET "version" = "version" + 1 WHERE "id" = '${id}'`);
  // nothing else, another change of the same number, several other changes
  const streams = await Promise.all(
    Object.entries({ ada: 0, bob: 1, carol: 2 }).map(async ([account, others]) => {
      const { id } = await (await as(account)).create();
      const changes = await database.changes.follow(account);
      const next = async () => {
        await update(id);
        const { value } = await changes.next();
        if (!value) throw new Error('no change was received');
        return value;
      };
      return { account, others, id, changes, kept: await next(), next };
    }),
  );
  await raw.query('SELECT * INTO TEMP "Saved" FROM "ChangeFeed"');
  const undone = new Map(
    await Promise.all(streams.map(async ({ account, next }) => [account, eventIdOf(await next())] as const)),
  );

  // the new primary never had the second change
  await raw.query('BEGIN');
  for (const { account, kept } of streams) {
    await raw.query(`DELETE FROM "EmbedChange" WHERE "accountId" = '${account}' AND "lastNumber" > ${kept.number}`);
  }
  await raw.query('DELETE FROM "ChangeFeed"');
  await raw.query('INSERT INTO "ChangeFeed" TABLE "Saved"');
  for (const { id, others } of streams) for (let i = 0; i < others; i++) await update(id);
  await raw.query('COMMIT');

  const other = await openDatabase(databaseUrl);
  onTestFinished(() => other.close());
  await Promise.all(
    streams.map(async ({ account, others, id, changes, kept }) => {
      await expect(changes.next()).rejects.toThrow(MISSED);
      for (const gateway of [database, other]) {
        const afterUndone = await gateway.changes.follow(account, undone.get(account));
        await expect(afterUndone.next()).rejects.toThrow(MISSED);
        const afterKept = await gateway.changes.follow(account, eventIdOf(kept));
        for (let i = 0; i < others; i++) expect((await afterKept.next()).value?.embedId).toBe(id);
        await afterKept.return?.();
      }
    }),
  );
});

test('a stream continues in the middle of the changes of one statement', async () => {
  const databaseUrl = await newDatabase();
  const { as, database } = await openApp({ databaseUrl });
  const ada = await as('ada');
  for (let i = 0; i < 3; i++) await ada.create();
  const changes = await database.changes.follow('ada');
  await (await openRaw(databaseUrl)).query('UPDATE "Embed" SET "version" = "version" + 1');
  const [first, second, third] = [await changes.next(), await changes.next(), await changes.next()];
  if (!first.value || !second.value) throw new Error('no change was received');
  const continued = await database.changes.follow('ada', eventIdOf(first.value));
  expect([await continued.next(), await continued.next()]).toEqual([second, third]);
  const altered = { ...first.value, mark: '0'.repeat(16) };
  await expect((await database.changes.follow('ada', eventIdOf(altered))).next()).rejects.toThrow(MISSED);
});
