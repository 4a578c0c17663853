import { LRUCache } from 'lru-cache';
import { type Awaitable, andThen } from '../awaitable.ts';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES } from '../cache-bytes.ts';
import { ACCOUNT_MAX_AGE_MS } from '../domain/embed/settings.ts';
import { Refusal } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Engine } from './engine.ts';

/** The settings of accounts, in JSON (see `domain/embed/settings.ts`). */
export interface AccountStore {
  /** Reads them again after {@link ACCOUNT_MAX_AGE_MS}: another gateway may have changed them. Null if none is set. */
  findSettings(accountId: string): Awaitable<string | null>;
  /** @returns those before and the new ones, which are equal if nothing has changed. @throws {Refusal} `conflict` after 20 concurrent updates */
  updateSettings(accountId: string, change: (stored: string | null) => string | null): Promise<AccountUpdate>;
}

export interface AccountUpdate {
  readonly before: string | null;
  readonly settings: string | null;
}

const MAX_UPDATE_TRIES = 20;

interface Known {
  readonly settings: string | null;
  /** The start of the read by the monotonic clock. */
  readonly at: number;
}

/** @param publish called after each change of the settings of an account, before the caller gets the result */
export function openAccounts(
  { client, driver }: Pick<Engine, 'client' | 'driver'>,
  publish: (accountId: string) => void,
): AccountStore {
  const known = new LRUCache<string, Known>({
    maxSize: CACHE_BYTES.accountSettings,
    sizeCalculation: ({ settings }, id) => ENTRY_BYTES + bytesOfEntry(id, settings ?? ''),
  });

  function read(accountId: string): Awaitable<string | null> {
    const at = performance.now();
    const select = Prisma.sql`SELECT "settings" FROM "Account" WHERE "id" = ${accountId}`;
    return andThen(driver.allShared<{ readonly settings: string | null }>(select, accountId), ([row]) => {
      const settings = row?.settings ?? null;
      // an update may have ended meanwhile
      if ((known.get(accountId)?.at ?? 0) <= at) known.set(accountId, { settings, at });
      return settings;
    });
  }

  return {
    findSettings(accountId) {
      const found = known.get(accountId);
      return found && performance.now() - found.at < ACCOUNT_MAX_AGE_MS ? found.settings : read(accountId);
    },

    async updateSettings(accountId, change) {
      for (let tries = 0; tries < MAX_UPDATE_TRIES; tries++) {
        const before = await read(accountId);
        const settings = change(before);
        if (settings === before) return { before, settings };
        const where = { id: accountId, settings: before };
        const { count } = await client.account.updateMany({ where, data: { settings } });
        if (count === 0) continue;
        known.set(accountId, { settings, at: performance.now() });
        publish(accountId);
        return { before, settings };
      }
      throw new Refusal('conflict', 'Others keep changing this account; try again.', [], 1);
    },
  };
}
