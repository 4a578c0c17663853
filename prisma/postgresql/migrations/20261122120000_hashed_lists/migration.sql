-- Runs statement by statement.

-- Each list has a key of 16 bytes: a hash of the account and the property, and the rank of the embed. PostgreSQL leaves half
-- of each page empty in an index of wider keys, because the embeds of each list are added at the end of that list.
--
-- The rank is in the order of the ids. It encodes their first 11 characters, which are the millisecond and 5 random bits,
-- with 6 bits for each, so that embeds of one millisecond may share it.
--
-- The columns are added empty here, `fill_hashed_lists` fills them and creates their indexes, and `hashed_lists_contract`
-- drops the indexes that they replace: a column that the database generates would rewrite the table under a lock. Databases
-- that were created by an earlier version of this migration have such a column, and no trigger for the rank.

-- AlterTable
-- Each table in a statement of its own: lists lock the table of terms before that of embeds.
ALTER TABLE "EmbedTerm" ADD COLUMN IF NOT EXISTS "termHash" BIGINT, ADD COLUMN IF NOT EXISTS "rank" BIGINT;

-- AlterTable
ALTER TABLE "Embed" ADD COLUMN IF NOT EXISTS "rank" BIGINT;

CREATE OR REPLACE FUNCTION "Embed_rank_of"(id text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ('x' || encode(substr(decode('A' || translate(
        substr(id, 1, 11), '0123456789abcdefghjkmnpqrstvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef'
    ), 'base64'), 2), 'hex'))::bit(64)::bigint
$$;

CREATE OR REPLACE FUNCTION "Embed_rank"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."rank" := "Embed_rank_of"(NEW."id");
    RETURN NEW;
END
$$;

-- Deletes by the key that all terms have, also those that have no rank yet.
CREATE OR REPLACE FUNCTION "Embed_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "EmbedTerm"
        WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id"
        AND "term" = ANY(ARRAY(SELECT json_array_elements_text(OLD."terms"::json)));
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

DROP TRIGGER IF EXISTS "Embed_rank" ON "Embed";

CREATE TRIGGER "Embed_rank" BEFORE INSERT ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_rank"();
