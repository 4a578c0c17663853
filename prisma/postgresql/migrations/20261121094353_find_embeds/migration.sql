-- Runs statement by statement.

-- AlterTable
-- Keys compare as bytes.
ALTER TABLE "Embed"
    ADD COLUMN IF NOT EXISTS "terms" TEXT NOT NULL DEFAULT '[""]',
    ALTER COLUMN "pageId" TYPE TEXT COLLATE "C", ALTER COLUMN "font" TYPE TEXT COLLATE "C";

-- CreateTable
CREATE TABLE IF NOT EXISTS "EmbedTerm" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "embedId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "EmbedTerm_pkey" PRIMARY KEY ("accountId","term","embedId")
);

-- The terms of an embed are written in the statement that writes the embed.
CREATE OR REPLACE FUNCTION "Embed_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "EmbedTerm"
        WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id"
        AND "term" = ANY(ARRAY(SELECT json_array_elements_text(OLD."terms"::json)));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "EmbedTerm" ("accountId", "term", "embedId")
        SELECT NEW."accountId", json_array_elements_text(NEW."terms"::json), NEW."id";
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER "Embed_terms_insert" AFTER INSERT ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_terms"();

CREATE OR REPLACE TRIGGER "Embed_terms_delete" AFTER DELETE ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_terms"();

CREATE OR REPLACE TRIGGER "Embed_terms_update" AFTER UPDATE OF "terms", "accountId" ON "Embed" FOR EACH ROW
    WHEN (OLD."terms" <> NEW."terms" OR OLD."accountId" <> NEW."accountId") EXECUTE FUNCTION "Embed_terms"();

-- An embed without terms has the empty one until `fill_words`. SQL cannot fold words of any script.
INSERT INTO "EmbedTerm" ("accountId", "term", "embedId")
SELECT "accountId", '', "id" FROM "Embed" WHERE "terms" = '[""]'
ON CONFLICT DO NOTHING;

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_accountId_pageId_id_idx" ON "Embed"("accountId", "pageId", "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_accountId_mode_id_idx" ON "Embed"("accountId", "mode", "id");

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Embed_accountId_font_mode_id_idx" ON "Embed"("accountId", "font", "mode", "id");
