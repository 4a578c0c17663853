import { LRUCache } from 'lru-cache';
import type { EmbedStore } from './embeds.ts';
import type { EmbedPage } from './found-embeds.ts';

/** Embeds in all pages together: some 10 MB. */
const MAX_EMBEDS = 20_000;
const MAX_ACCOUNTS = 10_000;

interface Known {
  readonly answer: unknown;
  /** Of the account, and of the file, before the answer was read. */
  readonly generation: symbol;
  readonly fileVersion: number;
  /** How many embeds are kept with it. */
  readonly size: number;
}

/**
 * Remembers how the lists of accounts begin and how long they are, which is asked for again and again. Nothing is stale:
 * each write of this process to an account begins another generation of its answers, when it begins and when it ends, and
 * only answers of the present one count; nothing counts that was read before another connection changed the file.
 * @param fileVersion another number after each change that another connection made (`PRAGMA data_version`)
 */
export function rememberLists(store: EmbedStore, fileVersion: () => number): EmbedStore {
  const answers = new LRUCache<string, Known>({ maxSize: MAX_EMBEDS, sizeCalculation: ({ size }) => size });
  const generations = new LRUCache<string, symbol>({ max: MAX_ACCOUNTS });

  function generationOf(accountId: string): symbol {
    const known = generations.get(accountId);
    if (known) return known;
    const generation = Symbol(accountId);
    generations.set(accountId, generation);
    return generation;
  }

  async function ask<T>(
    accountId: string,
    question: string,
    read: () => Promise<T>,
    sizeOf: (answer: T) => number,
  ): Promise<T> {
    const [version, generation, key] = [fileVersion(), generationOf(accountId), `${accountId} ${question}`];
    const hit = answers.get(key);
    if (hit?.generation === generation && hit.fileVersion === version) return hit.answer as T;
    const answer = await read();
    if (generations.get(accountId) === generation) {
      answers.set(key, { answer, generation, fileVersion: version, size: sizeOf(answer) });
    }
    return answer;
  }

  async function writing<T>(accountId: string, write: () => Promise<T>): Promise<T> {
    generations.delete(accountId);
    try {
      return await write();
    } finally {
      generations.delete(accountId);
    }
  }

  return {
    ...store,
    findPage(accountId, paging) {
      const { size, fromEnd, after, before } = paging;
      // the pages behind the first are many, and each is asked for once
      if (after !== undefined || before !== undefined) return store.findPage(accountId, paging);
      const sizeOf = ({ embeds }: EmbedPage) => embeds.length + 1;
      return ask(accountId, `${fromEnd ? 'last' : 'first'} ${size}`, () => store.findPage(accountId, paging), sizeOf);
    },
    count: (accountId) =>
      ask(
        accountId,
        'count',
        () => store.count(accountId),
        () => 1,
      ),
    insert: (embed, once) => writing(embed.accountId, () => store.insert(embed, once)),
    update: (accountId, ...change) => writing(accountId, () => store.update(accountId, ...change)),
    delete: (accountId, ...which) => writing(accountId, () => store.delete(accountId, ...which)),
  };
}
