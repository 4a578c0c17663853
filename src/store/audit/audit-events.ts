import { createEmbedIdGenerator, idBoundAt } from '../../domain/embed/id.ts';
import { type AuditEvent, isAuditAction } from '../../domain/identity/audit-event.ts';
import type { CursorPaging } from '../../domain/identity/cursor-paging.ts';
import { Refusal } from '../../errors.ts';
import { type AuditEvent as AuditEventRow, Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Log } from '../../log.ts';
import type { Shards } from '../postgresql/citus/shards.ts';
import { mapDatabaseErrors } from '../prisma/errors.ts';

/** Events are listed for so long. They are deleted with the next event of the account after that. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1_000;
/** More events of an account are deleted within a minute, the oldest first. */
const MAX_EVENTS = 10_000;
const TRIM_INTERVAL_MS = 60_000;
/** One statement deletes at most so many events, because it delays all other writes on SQLite. */
const MAX_DELETED = 500;

/** Events wait so long for others, and are then written in one statement. A crash loses those that wait. */
const WRITE_DELAY_MS = 1_000;
const MAX_WRITTEN = 200;
/** While the database is away, more events than these are dropped, the oldest first. */
const MAX_PENDING = 10_000;
/** Creates of one token within this time are one event. */
const CREATE_WINDOW_MS = 60_000;

export type NewAuditEvent = Omit<AuditEvent, 'id' | 'count'> & { readonly accountId: string };

export interface AuditEventStore {
  /** Adds an event, which is written within a second. */
  add(event: NewAuditEvent): void;
  /** Counts an embed that was created: one event for all creates of an actor within a minute. */
  addCreated(accountId: string, actor: string, embedId: string): void;
  /** Returns the events of the account, newest first. Includes all events of this process. */
  findPage(accountId: string, paging: CursorPaging): Promise<AuditEventPage>;
  count(accountId: string): Promise<number>;
  /** Writes the events that wait. */
  close(): Promise<void>;
}

export interface AuditEventPage {
  readonly events: readonly AuditEvent[];
  /** There are more events after the page. */
  readonly isCut: boolean;
  readonly hasNewer: boolean;
}

interface CreateWindow {
  readonly row: AuditEventRow;
  /** By `performance.now()`. */
  readonly endsAt: number;
}

/** Creates the row of an imported file, for the transaction that finishes the import. */
export function importEvent(accountId: string, count: number): AuditEventRow {
  const { id } = createEmbedIdGenerator()(accountId);
  return { accountId, id, action: 'EMBEDS_IMPORTED', actor: 'cli', subjectId: null, subjectName: null, count };
}

/** @param shards one statement writes the events of accounts of one shard; null if there are no shards */
export function openAuditEvents(
  client: PrismaClient,
  log: Pick<Log, 'warn'>,
  shards: Pick<Shards, 'shardOf' | 'runStatement' | 'runRequest'> | null,
): AuditEventStore {
  const runRequest: Shards['runRequest'] = shards?.runRequest ?? ((_accountId, request) => request());
  const newId = createEmbedIdGenerator();
  const pending = new Map<string, AuditEventRow>();
  const windows = new Map<string, CreateWindow>();
  /** When old events of an account were last deleted, by `performance.now()`. */
  const trimmedAt = new Map<string, number>();
  let isDropping = false;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function enqueue(row: AuditEventRow): void {
    pending.set(row.id, row);
    const [oldest] = pending.keys();
    if (pending.size > MAX_PENDING && oldest !== undefined) {
      pending.delete(oldest);
      if (!isDropping)
        log.warn({ events: MAX_PENDING }, 'audit events are dropped, because too many wait for the database');
      isDropping = true;
    }
    timer ??= setTimeout(() => void write(), WRITE_DELAY_MS).unref();
  }

  /** Writes all events that wait, after those that are being written. */
  function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(async () => {
      const rows = [...pending.values()].map((row) => ({ ...row }));
      pending.clear();
      forgetOldTimes();
      const groups = Map.groupBy(rows, ({ accountId }) => shards?.shardOf(accountId));
      await Promise.all([...groups.values()].map(writeAll));
    });
    const written = writing;
    writing = writing.catch((error) => log.warn({ reason: String(error) }, 'audit events could not be written'));
    return written.catch(() => {});
  }

  /** Writes the rows of one shard. Those that cannot be written wait again. */
  async function writeAll(rows: readonly AuditEventRow[]): Promise<void> {
    for (let i = 0; i < rows.length; i += MAX_WRITTEN) {
      try {
        const part = rows.slice(i, i + MAX_WRITTEN);
        const insert = () => insertRows(client, part);
        await (shards?.runStatement(part[0]?.accountId ?? '', insert) ?? insert());
        isDropping = false;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // in front of those that came since, which have newer counts
        const waiting = [...rows.slice(i), ...pending.values()];
        pending.clear();
        for (const row of waiting) enqueue(row);
        return;
      }
    }
    for (const accountId of new Set(rows.map((row) => row.accountId))) await trim(accountId);
  }

  async function trim(accountId: string): Promise<void> {
    if (trimmedAt.has(accountId)) return;
    trimmedAt.set(accountId, performance.now());
    await deleteExcess(client, accountId);
  }

  function forgetOldTimes(): void {
    const now = performance.now();
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
    for (const [accountId, at] of trimmedAt) if (at + TRIM_INTERVAL_MS <= now) trimmedAt.delete(accountId);
  }

  async function findPage(accountId: string, paging: CursorPaging): Promise<AuditEventPage> {
    // an earlier call may be writing them
    await (pending.size > 0 ? write() : writing);
    return readPage(client, accountId, paging);
  }

  return {
    add: (event) => enqueue({ ...event, id: newId(event.accountId).id, count: 1 }),

    addCreated(accountId, actor, embedId) {
      const key = `${accountId} ${actor}`;
      const open = windows.get(key);
      if (open && performance.now() < open.endsAt) {
        open.row.count += 1;
        enqueue(open.row);
        return;
      }
      const action = 'EMBEDS_CREATED';
      const row = {
        accountId,
        id: newId(accountId).id,
        action,
        actor,
        subjectId: embedId,
        subjectName: null,
        count: 1,
      };
      windows.set(key, { row, endsAt: performance.now() + CREATE_WINDOW_MS });
      enqueue(row);
    },

    findPage: (accountId, paging) => runRequest(accountId, () => findPage(accountId, paging)),

    count: (accountId) =>
      runRequest(accountId, () => mapDatabaseErrors(() => client.auditEvent.count({ where: listed(accountId) }))),

    async close() {
      await write();
      if (timer) clearTimeout(timer);
      if (pending.size > 0) log.warn({ events: pending.size }, 'audit events were lost, because the database is away');
    },
  };
}

/** Writes rows, or the new counts of rows that were written before. */
function insertRows(client: PrismaClient, rows: readonly AuditEventRow[]): Promise<unknown> {
  const values = rows.map(({ accountId, id, action, actor, subjectId, subjectName, count }) => {
    return Prisma.sql`(${accountId}, ${id}, ${action}, ${actor}, ${subjectId}, ${subjectName}, ${count})`;
  });
  return mapDatabaseErrors(
    () => client.$executeRaw`
      INSERT INTO "AuditEvent" ("accountId", "id", "action", "actor", "subjectId", "subjectName", "count")
      VALUES ${Prisma.join(values)}
      ON CONFLICT ("accountId", "id") DO UPDATE SET "count" = excluded."count"`,
  );
}

/** Deletes the events that are too old, or above the maximum of the account. */
async function deleteExcess(client: PrismaClient, accountId: string): Promise<void> {
  const excess = await mapDatabaseErrors(() =>
    client.auditEvent.findFirst({ where: { accountId }, orderBy: { id: 'desc' }, skip: MAX_EVENTS }),
  );
  const oldest = idBoundAt(Date.now() - MAX_AGE_MS);
  const last = excess && excess.id > oldest ? excess.id : oldest;
  let deleted = MAX_DELETED;
  while (deleted === MAX_DELETED) {
    deleted = await mapDatabaseErrors(
      () => client.$executeRaw`
        DELETE FROM "AuditEvent" WHERE "accountId" = ${accountId} AND "id" IN (
          SELECT "id" FROM "AuditEvent" WHERE "accountId" = ${accountId} AND "id" <= ${last}
          ORDER BY "id" LIMIT ${MAX_DELETED}
        )`,
    );
  }
}

async function readPage(
  client: PrismaClient,
  accountId: string,
  { size, after }: CursorPaging,
): Promise<AuditEventPage> {
  const rows = await mapDatabaseErrors(() =>
    // one more row than requested shows whether the page is cut
    client.auditEvent.findMany({ where: listed(accountId, after), orderBy: { id: 'desc' }, take: size + 1 }),
  );
  const newer =
    after === undefined
      ? null
      : await mapDatabaseErrors(() => client.auditEvent.findFirst({ where: { accountId, id: { gte: after } } }));
  return { events: rows.slice(0, size).map(toEvent), isCut: rows.length > size, hasNewer: newer !== null };
}

/** Returns the condition for the events that are listed after a cursor. */
const listed = (accountId: string, after?: string) => ({
  accountId,
  id: { gt: idBoundAt(Date.now() - MAX_AGE_MS), ...(after !== undefined && { lt: after }) },
});

function toEvent({ accountId: _, action, ...row }: AuditEventRow): AuditEvent {
  if (!isAuditAction(action)) throw new Error(`an audit event has the action ${action}`);
  return { ...row, action };
}
