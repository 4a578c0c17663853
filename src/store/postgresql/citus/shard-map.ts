import { HASHES_OF_CODE } from '../../../domain/embed/id.ts';
import { hashText } from '../../../domain/embed/text-hash.ts';

export interface Shard {
  /** Identifies the shard. */
  readonly lowestHash: number;
  /** `host:port`. */
  readonly node: string;
  /** A text that the database places on this shard; null if the shard has too few hashes to find one. */
  readonly place: string | null;
}

export interface ShardRow {
  /** Hashes with a sign. */
  readonly lowest: number;
  readonly highest: number;
  readonly node: string;
}

export const SHARDS_QUERY = `
  SELECT s.shardminvalue::int AS "lowest", s.shardmaxvalue::int AS "highest", n.nodename || ':' || n.nodeport AS "node"
  FROM pg_dist_shard AS s CROSS JOIN pg_dist_placement AS p CROSS JOIN pg_dist_node AS n
  WHERE s.logicalrelid = '"Embed"'::regclass AND p.shardid = s.shardid AND n.groupid = p.groupid
    AND n.noderole = 'primary'
  ORDER BY 1`;

/** Creates the map of the shards of embeds, and of all that is of the same accounts. @param rows in their order */
export function createShardMap(rows: readonly ShardRow[]) {
  const places = findPlaces(rows);
  const shards = rows.map(({ lowest, node }, i): Shard => ({ lowestHash: lowest, node, place: places[i] ?? null }));
  const placed = shards.filter((shard): shard is Shard & { place: string } => shard.place !== null);
  const text = JSON.stringify(rows);
  return {
    shards,
    /** @param hash as of `hashText` */
    find: (hash: number) => shards[indexOf(rows, hash)] as Shard,
    /** A place on each node. */
    placesOfNodes: new Map(placed.map(({ node, place }) => [node, place])),
    /** False if accounts whose ids have the same end are on several shards: the end of an id then names no shard. */
    isByCode: rows.every(({ lowest }) => lowest % HASHES_OF_CODE === 0),
    isOf: (others: readonly ShardRow[]) => JSON.stringify(others) === text,
  };
}

/** Computes about n × ln n hashes, of 1 to 2 µs, for the n shards that have all accounts of a code: at most 1,024. */
function findPlaces(rows: readonly ShardRow[]): readonly (string | undefined)[] {
  const places: string[] = [];
  const isWide = rows.map(({ lowest, highest }) => highest - lowest >= HASHES_OF_CODE - 1);
  for (let i = 0, missing = isWide.filter(Boolean).length; missing > 0; i++) {
    const index = indexOf(rows, hashText(String(i)));
    if (places[index] !== undefined || !isWide[index]) continue;
    places[index] = String(i);
    missing--;
  }
  return places;
}

/** Returns the index of the last shard that begins at or below a hash. Followed accounts are looked up each second. */
function indexOf(rows: readonly ShardRow[], hash: number): number {
  let [from, below] = [0, rows.length];
  while (below - from > 1) {
    const middle = (from + below) >> 1;
    if ((rows[middle] as ShardRow).lowest <= (hash | 0)) from = middle;
    else below = middle;
  }
  return from;
}
