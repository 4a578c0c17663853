-- Runs statement by statement.

-- Fills the columns of `hashed_lists` in batches, one account after the other, because a distributed database has a key for
-- each account. A batch locks its rows for milliseconds. If it waits for a lock itself, the fill begins again with the rows
-- that are left. Citus passes settings of a transaction to the workers, where the triggers run, only with that setting.
DO $fill$
DECLARE
    account text;
    last text;
    next text;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM "Embed" WHERE "rank" IS NULL) THEN
        RETURN;
    END IF;
    FOR account IN SELECT "id" FROM "Account" LOOP
        last := '';
        LOOP
            SELECT max("id") INTO next FROM (
                SELECT "id" FROM "Embed" WHERE "accountId" = account AND "id" > last ORDER BY "id" LIMIT 500
            ) AS batch;
            EXIT WHEN next IS NULL;
            SET LOCAL citus.propagate_set_commands = 'local';
            SET LOCAL lock_timeout = '150ms';
            SET LOCAL embed_gateway.is_filling = 'on';
            UPDATE "Embed" SET "rank" = "Embed_rank_of"("id")
            WHERE "accountId" = account AND "id" > last AND "id" <= next AND "rank" IS NULL;
            COMMIT;
            last := next;
        END LOOP;
    END LOOP;
END
$fill$;

DO $fill$
DECLARE
    account text;
    last_term text;
    last_id text;
    next_term text;
    next_id text;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM "EmbedTerm" WHERE "termHash" IS NULL OR "rank" IS NULL) THEN
        RETURN;
    END IF;
    FOR account IN SELECT "id" FROM "Account" LOOP
        last_term := '';
        last_id := '';
        LOOP
            SELECT "term", "embedId" INTO next_term, next_id FROM (
                SELECT "term", "embedId" FROM "EmbedTerm"
                WHERE "accountId" = account AND ("term", "embedId") > (last_term, last_id)
                ORDER BY "term", "embedId" LIMIT 1000
            ) AS batch ORDER BY "term" DESC, "embedId" DESC LIMIT 1;
            EXIT WHEN NOT FOUND;
            SET LOCAL citus.propagate_set_commands = 'local';
            SET LOCAL lock_timeout = '150ms';
            UPDATE "EmbedTerm" SET
                "termHash" = hashtextextended("term", hashtextextended("accountId", 0)),
                "rank" = "Embed_rank_of"("embedId")
            WHERE "accountId" = account AND ("term", "embedId") > (last_term, last_id)
            AND ("term", "embedId") <= (next_term, next_id) AND ("termHash" IS NULL OR "rank" IS NULL);
            COMMIT;
            last_term := next_term;
            last_id := next_id;
        END LOOP;
    END LOOP;
END
$fill$;

-- A constraint that is validated without a lock proves that the columns are filled, so that SET NOT NULL reads nothing.
ALTER TABLE "Embed" DROP CONSTRAINT IF EXISTS "Embed_filled";

ALTER TABLE "Embed" ADD CONSTRAINT "Embed_filled" CHECK ("rank" IS NOT NULL) NOT VALID;

ALTER TABLE "Embed" VALIDATE CONSTRAINT "Embed_filled";

ALTER TABLE "Embed" ALTER COLUMN "rank" SET NOT NULL;

ALTER TABLE "Embed" DROP CONSTRAINT "Embed_filled";

ALTER TABLE "EmbedTerm" DROP CONSTRAINT IF EXISTS "EmbedTerm_filled";

ALTER TABLE "EmbedTerm" ADD CONSTRAINT "EmbedTerm_filled" CHECK ("termHash" IS NOT NULL AND "rank" IS NOT NULL) NOT VALID;

ALTER TABLE "EmbedTerm" VALIDATE CONSTRAINT "EmbedTerm_filled";

ALTER TABLE "EmbedTerm" ALTER COLUMN "termHash" SET NOT NULL, ALTER COLUMN "rank" SET NOT NULL;

ALTER TABLE "EmbedTerm" DROP CONSTRAINT "EmbedTerm_filled";

-- CreateIndex
-- Prisma knows no indexes of expressions.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_account_rank_idx" ON "Embed"(hashtextextended("accountId", 0), "rank");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_page_rank_idx" ON "Embed"(
    hashtextextended("pageId", hashtextextended("accountId", 0)), "rank"
);

CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_mode_rank_idx" ON "Embed"(
    hashenumextended("mode", hashtextextended("accountId", 0)), "rank"
);

CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_font_mode_rank_idx" ON "Embed"(
    hashtextextended("font", hashenumextended("mode", hashtextextended("accountId", 0))), "rank"
);

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "EmbedTerm_termHash_rank_idx" ON "EmbedTerm"("termHash", "rank");

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "EmbedTerm_accountId_term_idx" ON "EmbedTerm"("accountId", "term");

-- The planner knows nothing about new columns and expressions.
ANALYZE "Embed";

ANALYZE "EmbedTerm";
