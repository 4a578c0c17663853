import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { type Awaitable, loadOnce } from './awaitable.ts';
import { isOutOfDescriptors, Refusal } from './errors.ts';

/** With fewer descriptors, the start itself may fail. */
export const MIN_DESCRIPTORS = 64;
/** With fewer descriptors, all code is loaded before the first connection. */
export const FEW_DESCRIPTORS = 256;
/** Memory bounds connections too. */
const MAX_CONNECTIONS = 10_000;
/**
 * For what requests open besides their connection: 32 page fetches and 16 of pictures with their DNS queries, the browser
 * with 12 requests of its page, purges, the child process, and files.
 */
const RESERVED_DESCRIPTORS = 128;
/** Loading code opens at most this many files at once, with some to spare. */
const LOADING_DESCRIPTORS = 8;

/**
 * Returns how many files and connections the process may open. Node.js has raised the soft limit to the hard one. Infinity
 * if the system does not tell.
 */
export function readDescriptorLimit(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Returns how many connections may be open, so that descriptors are left for the database, files and fetches.
 * @param later descriptors that the database opens later
 */
export function maxConnectionsWithin(limit: number, later: number): number {
  if (limit === Number.POSITIVE_INFINITY) return MAX_CONNECTIONS;
  const free = limit - readdirSync('/proc/self/fd').length;
  const reserved = Math.min(RESERVED_DESCRIPTORS + later, Math.ceil(free / 2));
  return Math.max(1, Math.min(MAX_CONNECTIONS, free - reserved));
}

/**
 * Creates a function that loads code at its first call, and again after a failure. It begins only with enough free
 * descriptors, because Node.js keeps the failure of a module that it could not read.
 */
export function loadCode<T extends object>(load: () => Promise<T>): () => Awaitable<T> {
  return loadOnce(async () => {
    try {
      requireFreeDescriptors();
      return await load();
    } catch (error) {
      throw isOutOfDescriptors(error) ? new Refusal('unavailable', 'The service has no free descriptors.') : error;
    }
  });
}

/** @throws the error EMFILE unless some files can be opened */
export function requireFreeDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < LOADING_DESCRIPTORS) opened.push(openSync('/dev/null', 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
