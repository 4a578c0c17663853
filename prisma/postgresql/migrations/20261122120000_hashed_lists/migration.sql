-- Each list has a key of 16 bytes: a hash of the account and the property, and the rank of the embed. PostgreSQL leaves half
-- of each page empty in an index of wider keys, because the embeds of each list are added at the end of that list.
--
-- The rank is in the order of the ids. It encodes their first 11 characters, which are the millisecond and 5 random bits,
-- with 6 bits for each, so that embeds of one millisecond may share it.

-- Deletes by the new index. A distributed database takes a function only before other changes.
CREATE OR REPLACE FUNCTION "Embed_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "EmbedTerm"
        WHERE "termHash" = ANY(ARRAY(
            SELECT hashtextextended(value, hashtextextended(OLD."accountId", 0))
            FROM json_array_elements_text(OLD."terms"::json) AS value
        ))
        AND "rank" = OLD."rank" AND "accountId" = OLD."accountId" AND "embedId" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "EmbedTerm" ("accountId", "term", "embedId", "termHash", "rank")
        SELECT
            NEW."accountId", value, NEW."id",
            hashtextextended(value, hashtextextended(NEW."accountId", 0)), NEW."rank"
        FROM json_array_elements_text(NEW."terms"::json) AS value;
    END IF;
    RETURN NULL;
END
$$;

-- DropIndex
-- A distributed table has no such index.
DROP INDEX IF EXISTS "Embed_accountId_id_idx";
DROP INDEX "Embed_accountId_pageId_id_idx";
DROP INDEX "Embed_accountId_mode_id_idx";
DROP INDEX "Embed_accountId_font_mode_id_idx";

-- AlterTable
ALTER TABLE "EmbedTerm" DROP CONSTRAINT "EmbedTerm_pkey";

-- AlterTable
ALTER TABLE "Embed" ADD COLUMN "rank" BIGINT NOT NULL GENERATED ALWAYS AS (
    ('x' || encode(substr(decode('A' || translate(
        substr("id", 1, 11), '0123456789abcdefghjkmnpqrstvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef'
    ), 'base64'), 2), 'hex'))::bit(64)::bigint
) STORED;
ALTER TABLE "EmbedTerm" ADD COLUMN "termHash" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "rank" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "EmbedTerm"
    ALTER COLUMN "termHash" TYPE BIGINT USING hashtextextended("term", hashtextextended("accountId", 0)),
    ALTER COLUMN "rank" TYPE BIGINT USING (
        'x' || encode(substr(decode('A' || translate(
            substr("embedId", 1, 11), '0123456789abcdefghjkmnpqrstvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef'
        ), 'base64'), 2), 'hex')
    )::bit(64)::bigint;
ALTER TABLE "EmbedTerm" ALTER COLUMN "termHash" DROP DEFAULT, ALTER COLUMN "rank" DROP DEFAULT;

-- CreateIndex
-- Prisma knows no indexes of expressions.
CREATE INDEX "Embed_account_rank_idx" ON "Embed"(hashtextextended("accountId", 0), "rank");
CREATE INDEX "Embed_page_rank_idx" ON "Embed"(hashtextextended("pageId", hashtextextended("accountId", 0)), "rank");
CREATE INDEX "Embed_mode_rank_idx" ON "Embed"(hashenumextended("mode", hashtextextended("accountId", 0)), "rank");
CREATE INDEX "Embed_font_mode_rank_idx" ON "Embed"(
    hashtextextended("font", hashenumextended("mode", hashtextextended("accountId", 0))), "rank"
);

-- CreateIndex
CREATE INDEX "EmbedTerm_termHash_rank_idx" ON "EmbedTerm"("termHash", "rank");

-- CreateIndex
CREATE INDEX "EmbedTerm_accountId_term_idx" ON "EmbedTerm"("accountId", "term");

-- Lets logical replication, which moves the shards of Citus, find rows without a primary key.
ALTER TABLE "EmbedTerm" REPLICA IDENTITY FULL;
