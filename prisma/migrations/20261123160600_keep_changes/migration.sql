-- The last changes of each account, recorded in the statement that makes them. A number is that of "changeCount" after the
-- change, so numbers have no gaps. The random mark tells a change from another one with its number, after a restore.
-- Above 100,000 changes of an account, the oldest are deleted, 1,000 at a time.
CREATE TABLE "EmbedChange" (
    "accountId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "mark" BLOB NOT NULL,
    "kind" TEXT NOT NULL,
    "embedId" TEXT NOT NULL,
    "atMs" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "number")
) WITHOUT ROWID;

CREATE TRIGGER "EmbedChange_bound" AFTER INSERT ON "EmbedChange" WHEN NEW."number" % 1000 = 0 BEGIN
    DELETE FROM "EmbedChange" WHERE "accountId" = NEW."accountId" AND "number" <= NEW."number" - 100000;
END;

DROP TRIGGER "Embed_count_insert";
CREATE TRIGGER "Embed_count_insert" AFTER INSERT ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" + 1, "changeCount" = "changeCount" + 1 WHERE "id" = NEW."accountId";
    INSERT INTO "EmbedChange" ("accountId", "number", "mark", "kind", "embedId", "atMs")
    SELECT "id", "changeCount", randomblob(8), 'CREATED', NEW."id", CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER)
    FROM "Account" WHERE "id" = NEW."accountId";
END;

DROP TRIGGER "Embed_count_delete";
CREATE TRIGGER "Embed_count_delete" AFTER DELETE ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" - 1, "changeCount" = "changeCount" + 1 WHERE "id" = OLD."accountId";
    INSERT INTO "EmbedChange" ("accountId", "number", "mark", "kind", "embedId", "atMs")
    SELECT "id", "changeCount", randomblob(8), 'DELETED', OLD."id", CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER)
    FROM "Account" WHERE "id" = OLD."accountId";
END;

-- Only changes of the content increment the version: new positions and terms are no changes.
DROP TRIGGER "Embed_count_update";
CREATE TRIGGER "Embed_count_update" AFTER UPDATE OF "version" ON "Embed" BEGIN
    UPDATE "Account" SET "changeCount" = "changeCount" + 1 WHERE "id" = NEW."accountId";
    INSERT INTO "EmbedChange" ("accountId", "number", "mark", "kind", "embedId", "atMs")
    SELECT "id", "changeCount", randomblob(8), 'UPDATED', NEW."id", CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER)
    FROM "Account" WHERE "id" = NEW."accountId";
END;
