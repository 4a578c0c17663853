-- AlterTable
ALTER TABLE "Embed" ADD COLUMN "terms" TEXT NOT NULL DEFAULT '[""]';

-- CreateTable
-- The key is the table: a second copy of it would double what a term takes.
CREATE TABLE "EmbedTerm" (
    "accountId" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "embedId" TEXT NOT NULL,

    PRIMARY KEY ("accountId", "term", "embedId")
) WITHOUT ROWID;

-- CreateIndex
CREATE INDEX "Embed_accountId_pageId_id_idx" ON "Embed"("accountId", "pageId", "id");

-- CreateIndex
CREATE INDEX "Embed_accountId_mode_id_idx" ON "Embed"("accountId", "mode", "id");

-- CreateIndex
CREATE INDEX "Embed_accountId_font_mode_id_idx" ON "Embed"("accountId", "font", "mode", "id");

-- The terms of an embed are written in the statement that writes the embed.
CREATE TRIGGER "Embed_terms_insert" AFTER INSERT ON "Embed" BEGIN
    INSERT INTO "EmbedTerm" ("accountId", "term", "embedId")
    SELECT NEW."accountId", value, NEW."id" FROM json_each(NEW."terms");
END;

CREATE TRIGGER "Embed_terms_delete" AFTER DELETE ON "Embed" BEGIN
    DELETE FROM "EmbedTerm" WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id"
    AND "term" IN (SELECT value FROM json_each(OLD."terms"));
END;

CREATE TRIGGER "Embed_terms_update" AFTER UPDATE OF "terms", "accountId" ON "Embed"
WHEN OLD."terms" <> NEW."terms" OR OLD."accountId" <> NEW."accountId" BEGIN
    DELETE FROM "EmbedTerm" WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id"
    AND "term" IN (SELECT value FROM json_each(OLD."terms"));
    INSERT INTO "EmbedTerm" ("accountId", "term", "embedId")
    SELECT NEW."accountId", value, NEW."id" FROM json_each(NEW."terms");
END;

-- An embed whose terms are still to be found out has the empty one. SQL cannot fold words of any script: the start does it.
INSERT INTO "EmbedTerm" ("accountId", "term", "embedId") SELECT "accountId", '', "id" FROM "Embed";
