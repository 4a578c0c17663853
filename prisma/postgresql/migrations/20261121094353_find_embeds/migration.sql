-- AlterTable
ALTER TABLE "Embed" ADD COLUMN "terms" TEXT NOT NULL DEFAULT '[""]';

-- AlterTable
-- They are in keys now, which compare as bytes.
ALTER TABLE "Embed" ALTER COLUMN "pageId" TYPE TEXT COLLATE "C", ALTER COLUMN "font" TYPE TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "EmbedTerm" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "embedId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "EmbedTerm_pkey" PRIMARY KEY ("accountId","term","embedId")
);

-- CreateIndex
CREATE INDEX "Embed_accountId_pageId_id_idx" ON "Embed"("accountId", "pageId", "id");

-- CreateIndex
CREATE INDEX "Embed_accountId_mode_id_idx" ON "Embed"("accountId", "mode", "id");

-- CreateIndex
CREATE INDEX "Embed_accountId_font_mode_id_idx" ON "Embed"("accountId", "font", "mode", "id");

-- The terms of an embed are written in the statement that writes the embed.
CREATE FUNCTION "Embed_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "Embed_terms_insert" AFTER INSERT ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_terms"();
CREATE TRIGGER "Embed_terms_delete" AFTER DELETE ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_terms"();
CREATE TRIGGER "Embed_terms_update" AFTER UPDATE OF "terms", "accountId" ON "Embed" FOR EACH ROW
    WHEN (OLD."terms" <> NEW."terms" OR OLD."accountId" <> NEW."accountId") EXECUTE FUNCTION "Embed_terms"();

-- An embed whose terms are still to be found out has the empty one. SQL cannot fold words of any script: the start does it.
INSERT INTO "EmbedTerm" ("accountId", "term", "embedId") SELECT "accountId", '', "id" FROM "Embed";
