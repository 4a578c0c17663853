import type { Log } from '../../../log.ts';
import { DatabaseUnavailable } from '../../database-errors.ts';
import type { ClusterSession } from './session.ts';
import { createShardMap, type ShardRow } from './shard-map.ts';

interface Options {
  readonly session: ClusterSession;
  readonly shardRows: readonly ShardRow[];
  readonly log: Log;
  /** Called after each check, with true for a node that answers. */
  readonly onChecked: (states: ReadonlyMap<string, boolean>) => void;
}

const CHECK_INTERVAL_MS = 1_000;

/** Opens the nodes that hold shards. Asks each every second, and after each failure, whether it answers. */
export function openNodes({ session, shardRows, log, onChecked }: Options) {
  let map = createShardMap(shardRows);
  let states: ReadonlyMap<string, boolean> = new Map();
  let checking: Promise<typeof states> | null = null;
  let isClosed = false;
  warnIfSplit();

  function warnIfSplit(): void {
    if (map.isByCode) return;
    log.warn(
      {},
      'hosted pages ask all shards: the number of shards is not a power of two up to 1,024, or one was split',
    );
  }

  async function readMap(): Promise<void> {
    const rows = await session.readShards();
    if (map.isOf(rows)) return;
    map = createShardMap(rows);
    warnIfSplit();
  }

  async function checkAll(): Promise<typeof states> {
    await readMap();
    const next = new Map<string, boolean>();
    for (const [node, place] of map.placesOfNodes) {
      const reason = await session.findFault(place);
      if (isClosed) return states;
      next.set(node, reason === null);
      const wasUp = states.get(node) ?? true;
      // at once, because the next node may take a second
      states = new Map([...states, [node, reason === null]]);
      if (wasUp && reason !== null) {
        log.error({ node, reason }, 'a worker of the database is away: requests of its accounts are refused');
      } else if (!wasUp && reason === null) log.info({ node }, 'a worker of the database answers again');
    }
    states = next;
    onChecked(states);
    return states;
  }

  function check(): Promise<typeof states> {
    checking ??= checkAll().finally(() => {
      checking = null;
    });
    return checking;
  }

  // if the coordinator does not answer, statements fail, and their failures are logged
  const checkQuietly = () => void check().catch(() => {});
  const timer = setInterval(checkQuietly, CHECK_INTERVAL_MS).unref();
  checkQuietly();
  return {
    map: () => map,
    isUp: (node: string) => states.get(node) ?? true,
    /** Checks all nodes soon, because a statement has failed on one. */
    suspect: checkQuietly,
    /** @throws {Refusal} `unavailable` unless the coordinator and a node answer */
    async requireAny() {
      const found = await check().catch(() => null);
      if (![...(found?.values() ?? [])].includes(true)) throw new DatabaseUnavailable('unreachable');
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      session.close();
    },
  };
}
