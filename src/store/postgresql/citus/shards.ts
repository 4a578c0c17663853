import { LRUCache } from 'lru-cache';
import { CACHE_BYTES, entriesIn } from '../../../cache-bytes.ts';
import type { Embed } from '../../../domain/embed/embed.ts';
import { accountHashIn, namesAccount } from '../../../domain/embed/id.ts';
import { hashText } from '../../../domain/embed/text-hash.ts';
import { Refusal } from '../../../errors.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { createLimiter, type Limiter } from '../../../limiter.ts';
import type { Log } from '../../../log.ts';
import { DatabaseUnavailable, ignoreUnavailable } from '../../database-errors.ts';
import { EMBED_COLUMNS } from '../../embeds/sql.ts';
import type { Executor } from '../../executor.ts';
import { createLookup } from '../../performance/batcher.ts';
import type { EmbedKey, Statements } from '../statements.ts';
import { createOldIdLookup, insertOldIds } from './id-lookup.ts';
import { openNodes } from './nodes.ts';
import type { ClusterSession } from './session.ts';
import { MAX_DELETED } from './shard-functions.ts';
import type { Shard, ShardRow } from './shard-map.ts';

/**
 * The shards of accounts. A statement names accounts of one shard, so that it fails only with the node of that shard. While
 * a node does not answer, its statements are refused at once. Until that is known, they take a part of the connections only.
 */
export interface Shards extends Executor {
  /** Returns the same value for ids of one shard. In ids of older versions it is any. */
  shardOfId(id: string): number | null;
  /**
   * Runs a statement on each shard, and returns the rows of those whose node answers.
   * @param read returns the statement for a shard, from a text that the database places on it
   */
  readEach<Row extends object>(read: (place: string) => Prisma.Sql): Promise<readonly Row[]>;
  /**
   * Runs work for accounts, those of one shard at a time, and returns the rows of those whose node answers.
   * @param kind whether the work is one statement, or may need several
   */
  forEachShard<Row>(
    accountIds: readonly string[],
    kind: 'statements' | 'requests',
    work: (accountIds: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]>;
  /** Returns the accounts with webhooks, except those whose node does not answer. */
  readWebhookAccounts(): Promise<readonly string[]>;
  /** Does the same, as they were up to 1 s ago. */
  findWebhookAccounts(): Promise<readonly string[]>;
  /** Deletes some rows of each shard whose node answers, from before a time. Returns whether there are more. */
  deleteOld(rows: 'keys' | 'changes', before: Prisma.Sql): Promise<boolean>;
  /** Reads an embed whose account is not known. @param read reads one whose account is known */
  find(id: string, read: (key: EmbedKey) => Promise<Embed | null>): Promise<Embed | null>;
  /** Forgets that an id has no embed. Call it before the embed is inserted. */
  expect(id: string): void;
  /** Call before embeds are copied, whose ids older versions may have made. */
  addOldIds(embeds: readonly Pick<Embed, 'id' | 'accountId'>[]): Promise<void>;
  /** Call after a statement has failed on a node. */
  suspectNodes(): void;
  /** @throws {Refusal} `unavailable` unless the coordinator and a node answer */
  ping(): Promise<void>;
  close(): void;
}

interface Options {
  readonly session: ClusterSession;
  /** The shards that the start has read from the coordinator: a gateway starts while a worker is away. */
  readonly shardRows: readonly ShardRow[];
  readonly poolSize: number;
  readonly log: Log;
  readonly onNodes: (states: ReadonlyMap<string, boolean>) => void;
}

/** An id without an embed is not asked for again in this time. */
const ABSENT_MS = 1_000;
/** Longer than a lookup that began before the embed was inserted. */
const EXPECTED_MS = 10_000;
/** Connections that one node leaves to all others. */
const RESERVED_CONNECTIONS = 2;

interface NodeLimits {
  readonly statements: Limiter;
  readonly requests: Limiter;
}

export function openShards(
  { client, query }: { readonly client: PrismaClient; readonly query: Statements['all'] },
  { session, shardRows, poolSize, log, onNodes }: Options,
): Shards {
  const limits = new Map<string, NodeLimits>();
  const maxRunning = Math.max(1, Math.floor((poolSize - RESERVED_CONNECTIONS) / 2));
  const nodes = openNodes({
    session,
    shardRows,
    log,
    onChecked(states) {
      for (const [node, isUp] of states) if (!isUp) refuseWaiting(node);
      onNodes(states);
    },
  });

  function limitsOf(node: string): NodeLimits {
    const known = limits.get(node) ?? { statements: createLimiter(maxRunning), requests: createLimiter(maxRunning) };
    limits.set(node, known);
    return known;
  }

  function refuseWaiting(node: string): void {
    for (const limiter of Object.values(limitsOf(node))) limiter.refuseWaiting(new DatabaseUnavailable('unreachable'));
  }

  function runOn<T>({ node }: Shard, kind: keyof NodeLimits, work: () => Promise<T>): Promise<T> {
    return limitsOf(node)[kind].run(async () => {
      if (!nodes.isUp(node)) throw new DatabaseUnavailable('unreachable');
      return work();
    });
  }

  const findShard = (accountId: string) => nodes.map().find(hashText(accountId));
  const findShardOfId = (id: string) => (nodes.map().isByCode ? nodes.map().find(accountHashIn(id)) : null);
  const shardOfId = (id: string) => findShardOfId(id)?.lowestHash ?? null;

  const readByIdAlone = createLookup(
    async (ids) => {
      const shard = findShardOfId(ids[0] as string);
      if (!shard || shard.place === null) {
        return query<Embed>(Prisma.sql`SELECT ${EMBED_COLUMNS} FROM "Embed" AS e WHERE e."id" = ANY(${ids}::text[])`);
      }
      const select = Prisma.sql`SELECT ${EMBED_COLUMNS} FROM "embeds_of_shard"(${shard.place}, ${ids}::text[]) AS e`;
      return runOn(shard, 'statements', () => query<Embed>(select));
    },
    { groupOf: shardOfId, keyOf: ({ id }) => id },
  );

  const findOld = createOldIdLookup(query);

  async function readEach<Row extends object>(read: (place: string) => Prisma.Sql): Promise<readonly Row[]> {
    const parts = nodes.map().shards.map(async (shard) => {
      const { place, lowestHash } = shard;
      if (place === null) throw new Error(`the shard ${lowestHash} has too few hashes to be read alone`);
      return runOn(shard, 'statements', () => query<Row>(read(place))).catch(ignoreUnavailable);
    });
    return (await Promise.all(parts)).flat();
  }

  async function readWebhookAccounts(): Promise<readonly string[]> {
    const rows = await readEach<{ readonly accountId: string }>(
      (place) => Prisma.sql`SELECT DISTINCT "accountId" FROM "webhooks_of_shard"(${place})`,
    );
    return rows.map(({ accountId }) => accountId);
  }

  const absent = new LRUCache<string, true>({ max: entriesIn(CACHE_BYTES.absentIds), ttl: ABSENT_MS });
  const expected = new LRUCache<string, true>({ max: entriesIn(CACHE_BYTES.expectedIds), ttl: EXPECTED_MS });

  return {
    shardOf: (accountId) => findShard(accountId).lowestHash,
    shardOfId,
    runStatement: (accountId, statement) => runOn(findShard(accountId), 'statements', statement),
    runRequest: (accountId, request) => runOn(findShard(accountId), 'requests', request),
    runTrigger: (accountId, statement) => limitsOf(findShard(accountId).node).requests.run(statement),

    readEach,

    async forEachShard(accountIds, kind, work) {
      const groups = [...Map.groupBy(accountIds, findShard)];
      const parts = groups.map(([shard, ids]) => runOn(shard, kind, () => work(ids)).catch(ignoreUnavailable));
      return (await Promise.all(parts)).flat();
    },

    readWebhookAccounts,
    findWebhookAccounts: cacheForASecond(readWebhookAccounts),

    async deleteOld(name, before) {
      const deleteOfShard = Prisma.raw(`"delete_${name}_of_shard"`);
      // with a cast of the count, Citus would run the function on the coordinator
      const rows = await readEach<{ readonly count: string }>(
        (place) => Prisma.sql`SELECT count(*) FROM ${deleteOfShard}(${place}, ${before})`,
      );
      return rows.some(({ count }) => Number(count) >= MAX_DELETED);
    },

    async find(id, read) {
      if (absent.has(id)) return null;
      let failure: unknown = null;
      const found = await readByIdAlone(id).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
        failure = error;
        return null;
      });
      // the end of an id of an older version names any shard, which may be away
      const embed = found ?? (await findOld(id, read));
      if (!embed && failure) throw failure;
      if (!embed && !expected.has(id)) absent.set(id, true);
      return embed;
    },

    expect(id) {
      expected.set(id, true);
      absent.delete(id);
    },

    async addOldIds(embeds) {
      const old = embeds.filter(({ id, accountId }) => !namesAccount(id, accountId));
      if (old.length > 0) await client.$executeRaw(insertOldIds(old));
    },

    suspectNodes: nodes.suspect,

    ping: nodes.requireAny,

    close: nodes.close,
  };
}

/** Returns a function that reads again 1 s after the last read at the earliest. Reads that wait for a node do not pile up. */
function cacheForASecond(read: () => Promise<readonly string[]>): () => Promise<readonly string[]> {
  const cache = new LRUCache<'all', readonly string[]>({ max: 1, ttl: 1_000, fetchMethod: read });
  return async () => (await cache.fetch('all')) ?? [];
}
