import type { TokenStore } from '../tokens.ts';
import { createReadCache } from './read-cache.ts';

const MAX_TOKENS = 10_000;
/** Revocations are rare, so each forgets all tokens. */
const SUBJECT = 'tokens';

/** Caches tokens by hash. Absent tokens are not cached. `lastUsedAt` may be older than in the database. */
export function withTokenCache(store: TokenStore, dataVersion: () => number): TokenStore {
  const cache = createReadCache(dataVersion, { maxSubjects: 1, maxSize: MAX_TOKENS });
  return {
    ...store,
    findByHash: async (hash) =>
      cache.get(
        SUBJECT,
        hash,
        () => store.findByHash(hash),
        (token) => (token ? 1 : 0),
      ),
    revoke: (id, revokedAt) => cache.invalidateAround(SUBJECT, () => store.revoke(id, revokedAt)),
    revokeOwn: (...revocation) => cache.invalidateAround(SUBJECT, () => store.revokeOwn(...revocation)),
  };
}
