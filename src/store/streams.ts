import type { Filter } from '../domain/finding.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Ids from one bound on, and below the other. */
export interface IdSpan {
  readonly from: string;
  readonly below: string;
}

/**
 * The embeds of an account that have one thing in common: an index begins with its columns and has their ids in order.
 */
export interface Stream {
  readonly table: 'Embed' | 'EmbedTerm';
  readonly columns: readonly (readonly [Column, string])[];
}

type Column = 'accountId' | 'pageId' | 'mode' | 'font' | 'term';

/**
 * What a filter asks for, as streams of which an embed must be in each. Mode and font are one, for which there is an
 * index: both have few values, of which each may be many, and together few.
 */
export function streamsOf(accountId: string, { mode, font, pageId, terms }: Filter): readonly Stream[] {
  const account = ['accountId', accountId] as const;
  const look = [...(font === undefined ? [] : [['font', font] as const]), ...(mode ? [['mode', mode] as const] : [])];
  const streams: readonly Stream[] = [
    ...(pageId === undefined ? [] : [{ table: 'Embed' as const, columns: [account, ['pageId', pageId] as const] }]),
    ...(look.length > 0 ? [{ table: 'Embed' as const, columns: [account, ...look] }] : []),
    ...terms.map((term) => ({ table: 'EmbedTerm' as const, columns: [account, ['term', term] as const] })),
  ];
  return streams.length > 0 ? streams : [{ table: 'Embed', columns: [account] }];
}

const idOf = ({ table }: Stream) => Prisma.raw(table === 'Embed' ? '"id"' : '"embedId"');
const tableOf = ({ table }: Stream) => Prisma.raw(`"${table}"`);
const nameOf = (column: Column) => Prisma.raw(`"${column}"`);

/** Some of the ids of a stream in a span, in order. */
export interface Cut {
  readonly stream: Stream;
  /** Streams that they must be in too. */
  readonly others: readonly Stream[];
  readonly span: IdSpan;
  /** Whether they are counted from the oldest one, not from the newest. */
  readonly fromEnd: boolean;
  readonly most: number;
  readonly skipped?: number;
}

/**
 * The ids of a cut. Its bounds and its order are those of whole keys, which leaves a planner nothing but the index with
 * these columns: with the id alone, PostgreSQL goes through all embeds of all accounts where it takes its parameters for
 * frequent ones. For the same reason the number is written out, and each of the others is a subquery of its own, which
 * no planner makes a join of.
 */
export function idsOf({ stream, others, span, fromEnd, most, skipped = 0 }: Cut): Prisma.Sql {
  const id = Prisma.sql`d.${idOf(stream)}`;
  const key = Prisma.join([...stream.columns.map(([column]) => Prisma.sql`d.${nameOf(column)}`), id]);
  const keyAt = (bound: string) => Prisma.join([...stream.columns.map(([, value]) => value), bound]);
  const direction = Prisma.raw(fromEnd ? ' ASC' : ' DESC');
  const order = [...stream.columns.map(([column]) => Prisma.sql`d.${nameOf(column)}`), id].map(
    (column) => Prisma.sql`${column}${direction}`,
  );
  const conditions = [
    Prisma.sql`(${key}) >= (${keyAt(span.from)})`,
    Prisma.sql`(${key}) < (${keyAt(span.below)})`,
    ...others.map((other) => Prisma.sql`(${lookUp(other, id)}) = 1`),
  ];
  return Prisma.sql`SELECT ${id} AS "id" FROM ${tableOf(stream)} AS d WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${Prisma.join(order)} LIMIT ${Prisma.raw(String(most))} OFFSET ${Prisma.raw(String(skipped))}`;
}

/** 1 for an id that is in a stream. */
function lookUp(stream: Stream, id: Prisma.Sql): Prisma.Sql {
  const equal = stream.columns.map(([column, value]) => Prisma.sql`o.${nameOf(column)} = ${value}`);
  return Prisma.sql`SELECT 1 FROM ${tableOf(stream)} AS o WHERE ${Prisma.join(equal, ' AND ')} AND o.${idOf(stream)} = ${id}`;
}
