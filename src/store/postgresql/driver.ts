import type { Embed } from '../../domain/embed/embed.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { EmbedDriver } from '../embeds/driver.ts';
import { EMBED_COLUMNS } from '../embeds/sql.ts';
import { createBatcher } from '../performance/batcher.ts';
import type { Shards } from './citus/shards.ts';
import type { EmbedKey, Statements } from './statements.ts';

interface SharedStatement {
  readonly text: string;
  readonly statement: Prisma.Sql;
  readonly accountId: string;
}

/** Ids of one statement: `nodes` may have as many. It bounds how long one statement delays the others. */
const MAX_IDS = 100;
/** A page may have 100 embeds. */
const MAX_SHARED = 32;

/** Reads in batches, because a round trip costs more than a row. On a cluster, a batch fails only with the node of its shard. */
export function openPostgresqlDriver(statements: Statements, shards: Shards | null): EmbedDriver {
  const onShard = <T>(accountId: string | null, work: () => Promise<T>): Promise<T> =>
    shards && accountId !== null ? shards.runStatement(accountId, work) : work();

  const findKnown = createBatcher(
    async (keys: readonly EmbedKey[]) => {
      const { accountId } = keys[0] as EmbedKey;
      const embeds = await onShard(accountId, () => statements.all<Embed>(selectByIds(keys, shards !== null)));
      const byId = new Map(embeds.map((embed) => [embed.id, embed]));
      return keys.map(({ id }) => byId.get(id) ?? null);
    },
    {
      maxBatchSize: MAX_IDS,
      keyOf: ({ accountId, id }) => `${id} ${accountId}`,
      groupOf: ({ accountId }) => (shards && accountId !== null ? shards.shardOf(accountId) : null),
    },
  );

  const runShared = createBatcher(
    async (items: readonly SharedStatement[]): Promise<readonly (readonly object[])[]> => {
      const [{ accountId, statement }] = items as readonly [SharedStatement];
      if (items.length === 1) return [await onShard(accountId, () => statements.all(statement))];
      const combined = combine(items, shards ? accountId : null);
      const results = items.map((): object[] => []);
      const rows = await onShard(accountId, () => statements.all<{ readonly item: number }>(combined));
      for (const { item, ...row } of rows) results[item]?.push(row);
      return results;
    },
    {
      maxBatchSize: MAX_SHARED,
      keyOf: ({ text, statement }) => `${text} ${JSON.stringify(statement.values)}`,
      groupOf: ({ text, accountId }) => (shards ? `${accountId} ${text}` : text),
    },
  );

  return {
    all: (statement, accountId) => onShard(accountId, () => statements.all(statement)),
    run: (statement, accountId) => onShard(accountId, () => statements.run(statement)),
    allShared: <Row extends object>(statement: Prisma.Sql, accountId: string) =>
      runShared({ text: statement.text, statement, accountId }) as Promise<readonly Row[]>,
    find: (id, accountId) => (shards && accountId === null ? shards.find(id, findKnown) : findKnown({ id, accountId })),
  };
}

/** May select embeds of the ids that belong to other accounts. */
function selectByIds(keys: readonly EmbedKey[], isSharded: boolean): Prisma.Sql {
  const accountIds = [...new Set(keys.map(({ accountId }) => accountId))];
  const isOfAccounts = isSharded ? Prisma.sql`e."accountId" = ANY(${accountIds}::text[]) AND` : Prisma.empty;
  return Prisma.sql`
    SELECT ${EMBED_COLUMNS} FROM "Embed" AS e WHERE ${isOfAccounts} e."id" = ANY(${keys.map(({ id }) => id)}::text[])`;
}

/**
 * Combines statements with the same text. Their parameters are columns of a table with a row for each statement, whose text
 * does not depend on their number.
 * @param accountId an account that all of them name, which stays a parameter, because a cluster needs it to choose the shard
 */
function combine(items: readonly SharedStatement[], accountId: string | null): Prisma.Sql {
  const { strings, values } = (items[0] as SharedStatement).statement;
  const valuesAt = (i: number) => items.map(({ statement }) => String(statement.values[i]));
  const columns = values.flatMap((_, i) => (valuesAt(i).every((value) => value === accountId) ? [] : [i]));
  const names = [...columns, 'number'].map((name) => `"${name}"`).join(', ');
  const parameters = values.map((value, i) => (columns.includes(i) ? Prisma.raw(`item."${i}"`) : value));
  return Prisma.sql`
    SELECT item."number" - 1 AS "item", found.*
    FROM unnest(${Prisma.join(columns.map((i) => Prisma.sql`${valuesAt(i)}::text[]`))})
      WITH ORDINALITY AS item(${Prisma.raw(names)})
    CROSS JOIN LATERAL (${Prisma.sql(strings, ...parameters)}) AS found`;
}
