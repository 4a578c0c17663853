import { CACHE_BYTES, ENTRY_BYTES } from '../../cache-bytes.ts';
import type { TokenStore } from '../tokens.ts';
import { createReadCache } from './read-cache.ts';

/** A token with its hash and its times. */
const TOKEN_BYTES = 4 * ENTRY_BYTES;
/** Revocations are rare, so each forgets all tokens. */
const SUBJECT = 'tokens';

/** Caches tokens by hash. Absent tokens are not cached. `lastUsedAt` may be older than in the database. */
export function withTokenCache(store: TokenStore, dataVersion: () => number): TokenStore {
  const cache = createReadCache(dataVersion, { maxSubjects: 1, maxSize: CACHE_BYTES.tokens });
  return {
    ...store,
    findByHash: async (hash) =>
      cache.get(
        SUBJECT,
        hash,
        () => store.findByHash(hash),
        (token) => (token ? TOKEN_BYTES : 0),
      ),
    revoke: (id, revokedAt) => cache.invalidateAround(SUBJECT, () => store.revoke(id, revokedAt)),
    revokeOwn: (...revocation) => cache.invalidateAround(SUBJECT, () => store.revokeOwn(...revocation)),
  };
}
