-- Runs statement by statement.

-- Removes what only gateways of releases before `hashed_lists` use.

-- Deletes by the index of the lists.
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

DROP TRIGGER IF EXISTS "Embed_tell_insert" ON "Embed";

DROP TRIGGER IF EXISTS "Embed_tell_update" ON "Embed";

DROP TRIGGER IF EXISTS "Embed_tell_delete" ON "Embed";

DROP FUNCTION IF EXISTS "Embed_tell"();

-- DropIndex
DROP INDEX IF EXISTS "Token_accountId_idx";

DROP INDEX IF EXISTS "Embed_accountId_id_idx";

DROP INDEX IF EXISTS "Embed_accountId_pageId_id_idx";

DROP INDEX IF EXISTS "Embed_accountId_mode_id_idx";

DROP INDEX IF EXISTS "Embed_accountId_font_mode_id_idx";

-- AlterTable
ALTER TABLE "EmbedTerm" DROP CONSTRAINT IF EXISTS "EmbedTerm_pkey";

-- Lets logical replication, which moves the shards of Citus, find rows without a primary key.
ALTER TABLE "EmbedTerm" REPLICA IDENTITY FULL;
