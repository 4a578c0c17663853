import { Prisma } from '../../generated/prisma/client.ts';
import type { Query } from '../engine.ts';

interface Reading {
  readonly serverMs: number;
  /** By `performance.now()`. */
  readonly readAtMs: number;
  readonly roundTripMs: number;
}

/** The monotonic clock of this machine and the clock of the server differ by a few milliseconds after this time. */
const READING_INTERVAL_MS = 60_000;
/** The quickest of these counts: the first may wait for its connection, and any for a busy machine. */
const READINGS = 5;
/** A response that takes longer tells the time less exactly than the reading before it. */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * Opens the clock of the server, which all gateways share. Reads it each minute. Between, the monotonic clock continues it, so
 * that corrections of this machine's clock have no effect.
 */
export function openDatabaseClock(query: Query, first: Reading) {
  let reading = first;
  const timer = setInterval(async () => {
    // the next reading is as good
    const next = await readClock(query).catch(() => null);
    if (next && next.roundTripMs <= MAX_ROUND_TRIP_MS) reading = next;
  }, READING_INTERVAL_MS).unref();
  return {
    now: () => new Date(reading.serverMs + performance.now() - reading.readAtMs),
    stop: () => clearInterval(timer),
  };
}

/** Reads the clock several times. The time of the server is taken for that in the middle of the round trip. */
export async function readClock(query: Query): Promise<Reading> {
  let best = await readOnce(query);
  for (let i = 1; i < READINGS; i++) {
    const next = await readOnce(query);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best;
}

async function readOnce(query: Query): Promise<Reading> {
  const sentAtMs = performance.now();
  const [row] = await query<{ readonly serverMs: number }>(
    Prisma.sql`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "serverMs"`,
  );
  const receivedAtMs = performance.now();
  return {
    serverMs: row?.serverMs ?? Date.now(),
    readAtMs: (sentAtMs + receivedAtMs) / 2,
    roundTripMs: receivedAtMs - sentAtMs,
  };
}
