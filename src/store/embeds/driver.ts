import type { Awaitable } from '../../awaitable.ts';
import type { Embed } from '../../domain/embed/embed.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/**
 * Runs all statements that read embeds, and the insert. Prisma runs the others, on this table and on all others. A value is
 * there at once unless it is behind a network.
 */
export interface EmbedDriver {
  /**
   * @param accountId the only account that the statement names; null if it names none, and asks all nodes of a cluster
   * @throws {Refusal} `unavailable` if the database cannot run the statement now
   */
  all<Row extends object>(statement: Prisma.Sql, accountId: string | null): Awaitable<readonly Row[]>;
  /**
   * Does the same for a statement that takes microseconds. On PostgreSQL, statements with the same text that wait together
   * are one. All of their parameters are texts, or are cast.
   */
  allShared<Row extends object>(statement: Prisma.Sql, accountId: string): Awaitable<readonly Row[]>;
  /** Returns the number of written rows. @throws {Refusal} as {@link all}, or the error of the database, such as a duplicate key */
  run(statement: Prisma.Sql, accountId: string | null): Awaitable<number>;
  /** @param accountId null if it is not known; the embed may be of another account */
  find(id: string, accountId: string | null): Awaitable<Embed | null>;
}
