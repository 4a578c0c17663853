import type { Embed } from '../../domain/embed/embed.ts';
import { prefixNumberOf } from '../../domain/embed/id.ts';
import { termsOf } from '../../domain/embed/search-terms.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { COLUMNS, type EmbedSql, STORED_FIELDS } from '../embeds/sql.ts';
import { positionBefore, positionFrom, SQLITE_INDEX, toSqliteTime } from './posting-lists.ts';

const VALUES = Prisma.raw(STORED_FIELDS.map((_, i) => `value->>${i}`).join(', '));
const ID = Prisma.raw(`value->>${STORED_FIELDS.indexOf('id')}`);
const TERMS = Prisma.raw(`value->>${STORED_FIELDS.length}`);
const RANK = Prisma.raw(`value->>${STORED_FIELDS.length + 1}`);

/** Half of SQLite's largest integer. Positions of an earlier version are above JavaScript's safe integers. */
const MAX_POSITION = Prisma.raw('1 << 62');
const STEP = 8;
const STEP_SQL = Prisma.raw(String(STEP));

/**
 * Chooses the position of an inserted embed: at least {@link STEP} above the row before it, if there is room for all `total`
 * rows that come between the same neighbours, `below` and `above`. Without room, the position is taken, and the insert fails.
 */
const POSITION = Prisma.raw(`CASE
  WHEN above IS NULL THEN natural
  WHEN share > 0 THEN min(natural, above - share * (total + 1 - nth))
  ELSE above
END`);

/** Lists are passed as JSON, because SQLite has no arrays. */
export const SQLITE: EmbedSql = {
  insert(embeds) {
    const rows = embeds.map((embed) => [
      ...STORED_FIELDS.map((field) => toColumnValue(embed[field])),
      serializeTerms(embed),
      prefixNumberOf(embed.id),
    ]);
    return Prisma.sql`
      INSERT INTO "Embed" ("position", ${COLUMNS}, "terms")
      SELECT ${POSITION}, ${VALUES}, ${TERMS} FROM (
        SELECT *,
          max(below, 2 * ${RANK}) + ${STEP_SQL} * nth AS natural,
          min(${STEP_SQL}, (above - below) / (total + 1)) AS share
        FROM (
          SELECT *, coalesce(previous, above - ${STEP_SQL} * (total + 1), 0) AS below FROM (
            SELECT *,
              row_number() OVER (PARTITION BY previous ORDER BY ${ID}) AS nth,
              count(*) OVER (PARTITION BY previous) AS total
            FROM (
              SELECT value, ${positionBefore(ID)} AS previous, ${positionFrom(ID)} AS above
              FROM json_each(${JSON.stringify(rows)})
            )
          )
        )
      )`;
  },

  // the rows above move together to the next gap that is large enough for them, so that no position is taken twice
  makeRoom(id, rows) {
    const room = Prisma.raw(String(STEP * (rows + 1)));
    return Prisma.sql`
      WITH gap AS (
        SELECT ${positionBefore(Prisma.sql`${id}`)} AS below, ${positionFrom(Prisma.sql`${id}`)} AS above
      ), crowd AS (
        SELECT above, e."position" AS last, e."position" - above + ${room} AS distance FROM gap
        CROSS JOIN "Embed" AS e ON e."position" >= above
        WHERE above - below <= ${rows} AND e."position" - above + ${room} < (
          SELECT coalesce(min(n."position"), ${MAX_POSITION}) FROM "Embed" AS n
          WHERE n."position" > e."position"
        ) - e."position"
        ORDER BY e."position" LIMIT 1
      )
      UPDATE "Embed" SET "position" = "position" + crowd.distance FROM crowd
      WHERE "position" BETWEEN crowd.above AND crowd.last`;
  },

  serializeTerms,

  index: SQLITE_INDEX,
};

/** Puts a space before each term, so that a search for a beginning is one for a part of the text. */
function serializeTerms(embed: Pick<Embed, 'title' | 'pageUrl'>): string {
  return termsOf(embed)
    .map((term) => ` ${term}`)
    .join('');
}

/** Converts a value like Prisma's adapter does. */
function toColumnValue(value: Embed[keyof Embed]): Exclude<Embed[keyof Embed], Date> | string {
  return value instanceof Date ? toSqliteTime(value) : value;
}
