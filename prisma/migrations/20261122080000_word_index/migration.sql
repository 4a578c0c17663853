-- One full-text index replaces the table of terms and the indexes of page id, mode and font. Its rows have the numbers of
-- the embeds, which are in the order of the ids, so that every list is read in its order.
DROP TRIGGER "Embed_terms_insert";
DROP TRIGGER "Embed_terms_delete";
DROP TRIGGER "Embed_terms_update";
DROP TABLE "EmbedTerm";
DROP INDEX "Embed_accountId_id_idx";
DROP INDEX "Embed_accountId_pageId_id_idx";
DROP INDEX "Embed_accountId_mode_id_idx";
DROP INDEX "Embed_accountId_font_mode_id_idx";

ALTER TABLE "Embed" RENAME TO "EmbedBefore";

CREATE TABLE "Embed" (
    "position" INTEGER NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "pageUrl" TEXT NOT NULL,
    "pageId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "font" TEXT NOT NULL,
    "showTopBar" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "terms" TEXT NOT NULL DEFAULT '[""]',
    CONSTRAINT "Embed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- A position is twice the number that the first 12 characters of the id encode: its millisecond and 10 random bits.
INSERT INTO "Embed" (
    "position", "id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version"
)
SELECT
    -- at least 8 above the one before it, also if many ids begin alike
    max("rank" * 2 - 8 * "nth") OVER (ORDER BY "id" ROWS UNBOUNDED PRECEDING) + 8 * "nth",
    "id", "accountId", "createdAt", "pageUrl", "pageId", "title", "mode", "font", "showTopBar", "version"
FROM (
    -- SQLite gives << and | the same precedence
    SELECT
        row_number() OVER (ORDER BY "id") AS "nth",
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 1, 1)) - 1) << 55) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 2, 1)) - 1) << 50) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 3, 1)) - 1) << 45) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 4, 1)) - 1) << 40) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 5, 1)) - 1) << 35) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 6, 1)) - 1) << 30) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 7, 1)) - 1) << 25) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 8, 1)) - 1) << 20) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 9, 1)) - 1) << 15) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 10, 1)) - 1) << 10) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 11, 1)) - 1) << 5) |
        ((instr('0123456789abcdefghjkmnpqrstvwxyz', substr("id", 12, 1)) - 1) << 0) AS "rank",
        *
    FROM "EmbedBefore"
);

DROP TABLE "EmbedBefore";

-- CreateIndex
CREATE UNIQUE INDEX "Embed_id_key" ON "Embed"("id");

-- CreateIndex
CREATE INDEX "Embed_accountId_idx" ON "Embed"("accountId");

CREATE TRIGGER "Embed_count_insert" AFTER INSERT ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" + 1, "changeCount" = "changeCount" + 1 WHERE "id" = NEW."accountId";
END;

CREATE TRIGGER "Embed_count_delete" AFTER DELETE ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" - 1, "changeCount" = "changeCount" + 1 WHERE "id" = OLD."accountId";
END;

CREATE TRIGGER "Embed_count_update" AFTER UPDATE ON "Embed" BEGIN
    UPDATE "Account" SET "changeCount" = "changeCount" + 1 WHERE "id" IN (OLD."accountId", NEW."accountId");
END;

CREATE TRIGGER "Embed_count_move" AFTER UPDATE OF "accountId" ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" - 1 WHERE "id" = OLD."accountId";
    UPDATE "Account" SET "embedCount" = "embedCount" + 1 WHERE "id" = NEW."accountId";
END;

-- The tokens of an embed are its account in hex and one property: p and the first half of the page id, m and the mode, s, the
-- font in hex and the mode, w and a word. Words are normalised by the service. This tokenizer separates them at spaces and
-- leaves them as they are; it folds the case of ASCII letters.
CREATE VIRTUAL TABLE "EmbedIndex" USING fts5(
    "tokens", content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_=-[]'"
);
CREATE VIRTUAL TABLE "EmbedIndexTerm" USING fts5vocab("EmbedIndex", instance);

-- The words of each account, to find those with a beginning: the index itself would read all rows of a word to find the next.
CREATE TABLE "EmbedWord" (
    "accountId" TEXT NOT NULL,
    "word" TEXT NOT NULL,

    PRIMARY KEY ("accountId", "word")
) WITHOUT ROWID;

-- An embed whose words are still to be written has one token, by which the service finds it.
INSERT INTO "EmbedIndex" (rowid, "tokens") SELECT "position", '[]' FROM "Embed";

-- The index is written in the statement that writes the embed.
CREATE TRIGGER "Embed_index_insert" AFTER INSERT ON "Embed" BEGIN
    INSERT INTO "EmbedIndex" (rowid, "tokens") VALUES (NEW."position", CASE WHEN NEW."terms" = '[""]' THEN '[]' ELSE
        lower(hex(NEW."accountId")) || 'p' || substr(replace(NEW."pageId", '-', ''), 1, 16) || ' ' || lower(hex(NEW."accountId")) || 'm' || NEW."mode" || ' '
        || lower(hex(NEW."accountId")) || 's' || hex(NEW."font") || '_' || NEW."mode" || replace(NEW."terms", ' ', ' ' || lower(hex(NEW."accountId")) || 'w')
    END);
    INSERT OR IGNORE INTO "EmbedWord" ("accountId", "word")
    SELECT NEW."accountId", value FROM json_each('["' || replace(substr(NEW."terms", 2), ' ', '","') || '"]') WHERE NEW."terms" <> '[""]' AND value NOT LIKE '=%';
END;

-- The index has no texts, so that it needs the tokens that it loses.
CREATE TRIGGER "Embed_index_delete" AFTER DELETE ON "Embed" BEGIN
    INSERT INTO "EmbedIndex" ("EmbedIndex", rowid, "tokens") VALUES ('delete', OLD."position", CASE WHEN OLD."terms" = '[""]' THEN '[]' ELSE
        lower(hex(OLD."accountId")) || 'p' || substr(replace(OLD."pageId", '-', ''), 1, 16) || ' ' || lower(hex(OLD."accountId")) || 'm' || OLD."mode" || ' '
        || lower(hex(OLD."accountId")) || 's' || hex(OLD."font") || '_' || OLD."mode" || replace(OLD."terms", ' ', ' ' || lower(hex(OLD."accountId")) || 'w')
    END);
    DELETE FROM "EmbedWord" WHERE "accountId" = OLD."accountId"
    AND "word" IN (SELECT value FROM json_each('["' || replace(substr(OLD."terms", 2), ' ', '","') || '"]') WHERE OLD."terms" <> '[""]')
    AND NOT EXISTS (
        SELECT 1 FROM "EmbedIndex" WHERE "EmbedIndex" MATCH '"' || lower(hex(OLD."accountId")) || 'w' || "word" || '"'
    );
END;

CREATE TRIGGER "Embed_index_update"
AFTER UPDATE OF "position", "accountId", "pageId", "mode", "font", "terms" ON "Embed"
WHEN OLD."position" <> NEW."position" OR OLD."accountId" <> NEW."accountId" OR OLD."pageId" <> NEW."pageId"
OR OLD."mode" <> NEW."mode" OR OLD."font" <> NEW."font" OR OLD."terms" <> NEW."terms" BEGIN
    INSERT INTO "EmbedIndex" ("EmbedIndex", rowid, "tokens") VALUES ('delete', OLD."position", CASE WHEN OLD."terms" = '[""]' THEN '[]' ELSE
        lower(hex(OLD."accountId")) || 'p' || substr(replace(OLD."pageId", '-', ''), 1, 16) || ' ' || lower(hex(OLD."accountId")) || 'm' || OLD."mode" || ' '
        || lower(hex(OLD."accountId")) || 's' || hex(OLD."font") || '_' || OLD."mode" || replace(OLD."terms", ' ', ' ' || lower(hex(OLD."accountId")) || 'w')
    END);
    INSERT INTO "EmbedIndex" (rowid, "tokens") VALUES (NEW."position", CASE WHEN NEW."terms" = '[""]' THEN '[]' ELSE
        lower(hex(NEW."accountId")) || 'p' || substr(replace(NEW."pageId", '-', ''), 1, 16) || ' ' || lower(hex(NEW."accountId")) || 'm' || NEW."mode" || ' '
        || lower(hex(NEW."accountId")) || 's' || hex(NEW."font") || '_' || NEW."mode" || replace(NEW."terms", ' ', ' ' || lower(hex(NEW."accountId")) || 'w')
    END);
    DELETE FROM "EmbedWord" WHERE (OLD."terms" <> NEW."terms" OR OLD."accountId" <> NEW."accountId")
    AND "accountId" = OLD."accountId"
    AND "word" IN (SELECT value FROM json_each('["' || replace(substr(OLD."terms", 2), ' ', '","') || '"]') WHERE OLD."terms" <> '[""]')
    AND NOT EXISTS (
        SELECT 1 FROM "EmbedIndex" WHERE "EmbedIndex" MATCH '"' || lower(hex(OLD."accountId")) || 'w' || "word" || '"'
    );
    INSERT OR IGNORE INTO "EmbedWord" ("accountId", "word")
    SELECT NEW."accountId", value FROM json_each('["' || replace(substr(NEW."terms", 2), ' ', '","') || '"]') WHERE NEW."terms" <> '[""]' AND value NOT LIKE '=%';
END;
