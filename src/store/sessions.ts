import type { Person } from '../domain/identity/account.ts';
import type { Session } from '../domain/identity/session.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { createLookup } from './performance/batcher.ts';
import { insertIfAbsent } from './prisma/errors.ts';

export interface SessionStore {
  /** Also deletes expired sessions, and the oldest of the holder above 100. Returns false if there is one with the hash. */
  insert(session: Session): Promise<boolean>;
  /** Also returns a session that has expired. */
  findByHash(hash: string): Promise<Session | null>;
  delete(hash: string): Promise<void>;
  /** Deletes the sessions of the holder that were opened when the person had another name or other roles. */
  deleteOutdated(holder: string, person: Person): Promise<void>;
}

const MAX_SESSIONS_PER_HOLDER = 100;
/** The sessions above the maximum that one insert deletes. */
const MAX_TRIMMED = 100;

export function openSessions(client: PrismaClient): SessionStore {
  const findByHash = createLookup(
    async (hashes) => {
      const rows = await client.session.findMany({ where: { hash: { in: [...hashes] } } });
      return rows.map(({ person, ...row }): Session => ({ ...row, person: person && JSON.parse(person) }));
    },
    { keyOf: ({ hash }) => hash },
  );
  return {
    async insert({ person, ...session }) {
      const { holder, createdAt } = session;
      const data = { ...session, person: person && JSON.stringify(person) };
      if (!(await insertIfAbsent(client.session.create({ data, select: { hash: true } })))) return false;
      const excess = await client.session.findMany({
        where: { holder },
        orderBy: { createdAt: 'desc' },
        skip: MAX_SESSIONS_PER_HOLDER,
        take: MAX_TRIMMED,
        select: { hash: true },
      });
      const hashes = excess.map(({ hash }) => hash);
      await client.session.deleteMany({ where: { OR: [{ expiresAt: { lte: createdAt } }, { hash: { in: hashes } }] } });
      return true;
    },

    findByHash,

    async delete(hash) {
      await client.session.deleteMany({ where: { hash } });
    },

    async deleteOutdated(holder, person) {
      const where = { holder, person: { not: JSON.stringify(person) } };
      await client.session.deleteMany({ where });
    },
  };
}
