import { LRUCache } from 'lru-cache';
import { bytesOfEntry, CACHE_BYTES, ENTRY_BYTES, entriesIn } from '../../cache-bytes.ts';
import type { FieldChange } from '../../domain/embed/field-changes.ts';
import { createEmbedIdGenerator, idBoundAt } from '../../domain/embed/id.ts';
import { type AuditEvent, isAuditAction } from '../../domain/identity/audit-event.ts';
import type { CursorPage, CursorPaging } from '../../domain/identity/cursor-paging.ts';
import { type AuditEvent as AuditEventRow, Prisma, type PrismaClient } from '../../generated/prisma/client.ts';
import type { Log } from '../../log.ts';
import type { Executor } from '../executor.ts';
import { createDelayedWriter } from '../performance/delayed-writer.ts';
import { changeAll, MAX_CHANGED } from '../performance/partial-changes.ts';
import { readCursorPage } from '../prisma/cursor-page.ts';

/** Events are listed for so long. They are deleted with the next event of the account after that. */
const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1_000;
/** More events of an account are deleted within a minute, the oldest first. */
const MAX_EVENTS = 10_000;
const TRIM_INTERVAL_MS = 60_000;

/** Events wait so long for others, and are then written in one statement. A crash loses those that wait. */
const WRITE_DELAY_MS = 1_000;
const MAX_WRITTEN = 200;
/** While the database is away, more events than these are dropped, the oldest first. */
const MAX_PENDING = 10_000;
/** Creates of one token within this time are one event. So are the calls of a change of several embeds. */
const WINDOW_MS = 60_000;
/** The memory of a row without its texts. */
const ROW_BYTES = 2 * ENTRY_BYTES;
/** Values of one event about several embeds. */
const MAX_JOINED_CHANGES = 20;

export type NewAuditEvent = Omit<AuditEvent, 'id' | 'count'> & { readonly accountId: string };

export interface AuditEventStore {
  /** Adds an event, which is written within a second. */
  add(event: NewAuditEvent): void;
  /** Counts embeds that were created: one event for all creates of an actor within a minute. */
  addCreated(accountId: string, actor: string, embedId: string): void;
  /**
   * Counts embeds that were changed together: one event for equal events, each within a minute of the one before.
   * @param isUndo the event also counts as equal with other values: the values of all are listed, at most 20
   */
  addCounted(event: NewAuditEvent, count: number, isUndo: boolean): void;
  /** Returns the events of the account, newest first. Includes all events of this process. */
  findPage(accountId: string, paging: CursorPaging): Promise<CursorPage<AuditEvent>>;
  count(accountId: string): Promise<number>;
  /** Writes the events that wait. */
  close(): Promise<void>;
}

const NO_SUBJECT = { subjectId: null, subjectName: null, changes: null };

/** Creates the row of an imported file, for the transaction that finishes the import. */
export function importEvent(accountId: string, count: number, at: Date): AuditEventRow {
  const { id } = createEmbedIdGenerator(() => at.getTime())(accountId);
  return { ...NO_SUBJECT, accountId, id, action: 'EMBEDS_IMPORTED', actor: 'cli', count };
}

interface Options {
  readonly client: PrismaClient;
  readonly executor: Executor;
  /** The clock of all gateways. */
  readonly now: () => Date;
}

export function openAuditEvents({ client, executor, now: clock }: Options, log: Log): AuditEventStore {
  const { runRequest } = executor;
  const newId = createEmbedIdGenerator(() => clock().getTime());
  const oldestKept = () => idBoundAt(clock().getTime() - MAX_AGE_MS);
  /** Rows that still count further events. A row that is evicted no longer does. */
  const counted = new LRUCache<string, AuditEventRow>({
    maxSize: CACHE_BYTES.countedEvents,
    sizeCalculation: ({ subjectName, changes }, key) => ROW_BYTES + bytesOfEntry(key, subjectName ?? '', changes ?? ''),
    ttl: WINDOW_MS,
  });
  /** Accounts whose old events were deleted. */
  const trimmed = new LRUCache<string, true>({ max: entriesIn(CACHE_BYTES.trimmedAccounts), ttl: TRIM_INTERVAL_MS });
  const writer = createDelayedWriter<AuditEventRow>({
    name: 'audit events',
    delayMs: WRITE_DELAY_MS,
    maxWritten: MAX_WRITTEN,
    maxPending: MAX_PENDING,
    write: (rows) => insertRows(client, rows),
    async onWritten(accountIds) {
      for (const accountId of accountIds) await trim(accountId);
    },
    log,
    executor,
  });
  const enqueue = (row: AuditEventRow) => writer.add(row.id, row);

  async function trim(accountId: string): Promise<void> {
    if (trimmed.has(accountId)) return;
    trimmed.set(accountId, true);
    await deleteExcess(client, accountId, oldestKept());
  }

  /**
   * Counts an event together with those of the same key within a minute, and adds its values to theirs.
   * @param isRenewed the minute begins again with each event
   */
  function enqueueCounted(key: string, event: NewAuditEvent, count: number, isRenewed: boolean): void {
    const open = counted.get(key);
    const joined = open && joinChanges(open.changes, event.changes);
    const isOpen = open !== undefined && (joined?.length ?? 0) <= MAX_JOINED_CHANGES;
    // a new row each time, so that the cache measures it
    const row = isOpen ? { ...open } : { ...rowOf(event), count: 0 };
    row.count += count;
    if (isOpen && joined) row.changes = JSON.stringify(joined);
    counted.set(key, row, { noUpdateTTL: isOpen && !isRenewed });
    enqueue(row);
  }

  const rowOf = ({ changes, ...event }: NewAuditEvent): AuditEventRow => {
    return { ...event, id: newId(event.accountId).id, count: 1, changes: changes && JSON.stringify(changes) };
  };

  return {
    add: (event) => enqueue(rowOf(event)),

    addCreated(accountId, actor, embedId) {
      const action = 'EMBEDS_CREATED';
      enqueueCounted(
        `${accountId} ${actor}`,
        { ...NO_SUBJECT, accountId, actor, action, subjectId: embedId },
        1,
        false,
      );
    },

    addCounted(event, count, isUndo) {
      const fields = event.changes?.map(({ field }) => field);
      const key = JSON.stringify(isUndo ? { ...event, changes: fields, isUndo } : event);
      enqueueCounted(key, event, count, true);
    },

    findPage: (accountId, paging) =>
      runRequest(accountId, async () => {
        await writer.flush();
        const oldest = oldestKept();
        return readCursorPage(paging, async (id, take) => {
          const where = listed(accountId, oldest, id);
          return (await client.auditEvent.findMany({ where, orderBy: { id: 'desc' }, take })).map(toEvent);
        });
      }),

    count: (accountId) =>
      runRequest(accountId, () => client.auditEvent.count({ where: listed(accountId, oldestKept()) })),

    close: writer.close,
  };
}

/** Adds the values that are not listed yet; null for events without values. */
function joinChanges(listed: string | null, changes: readonly FieldChange[] | null): readonly FieldChange[] | null {
  if (listed === null || changes === null) return null;
  const known = JSON.parse(listed) as readonly FieldChange[];
  const isKnown = ({ field, after }: FieldChange) => known.some((one) => one.field === field && one.after === after);
  return [...known, ...changes.filter((change) => !isKnown(change))];
}

/** Writes rows, or the new counts and values of rows that were written before. */
function insertRows(client: PrismaClient, rows: readonly AuditEventRow[]): Promise<unknown> {
  const values = rows.map(({ accountId, id, action, actor, subjectId, subjectName, count, changes }) => {
    return Prisma.sql`(${accountId}, ${id}, ${action}, ${actor}, ${subjectId}, ${subjectName}, ${count}, ${changes})`;
  });
  return client.$executeRaw`
    INSERT INTO "AuditEvent" ("accountId", "id", "action", "actor", "subjectId", "subjectName", "count", "changes")
    VALUES ${Prisma.join(values)}
    ON CONFLICT ("accountId", "id") DO UPDATE SET "count" = excluded."count", "changes" = excluded."changes"`;
}

/** Deletes the events that are too old, or above the maximum of the account. */
async function deleteExcess(client: PrismaClient, accountId: string, oldest: string): Promise<void> {
  const excess = await client.auditEvent.findFirst({ where: { accountId }, orderBy: { id: 'desc' }, skip: MAX_EVENTS });
  const last = excess && excess.id > oldest ? excess.id : oldest;
  await changeAll(
    () => client.$executeRaw`
      DELETE FROM "AuditEvent" WHERE "accountId" = ${accountId} AND "id" IN (
        SELECT "id" FROM "AuditEvent" WHERE "accountId" = ${accountId} AND "id" <= ${last}
        ORDER BY "id" LIMIT ${MAX_CHANGED}
      )`,
  );
}

/** Returns the condition for the events that are listed. */
const listed = (accountId: string, oldest: string, id: Prisma.StringFilter = {}) => ({
  accountId,
  id: { ...id, gt: oldest },
});

function toEvent({ accountId: _, action, changes, ...row }: AuditEventRow): AuditEvent {
  if (!isAuditAction(action)) throw new Error(`an audit event has the action ${action}`);
  return { ...row, action, changes: changes === null ? null : (JSON.parse(changes) as readonly FieldChange[]) };
}
