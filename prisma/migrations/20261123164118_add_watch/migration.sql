-- CreateTable
CREATE TABLE "Watch" (
    "accountId" TEXT NOT NULL,
    "embedId" TEXT NOT NULL,
    "pageUrl" TEXT NOT NULL,
    "watch" TEXT NOT NULL,
    "host" TEXT NOT NULL DEFAULT '',
    "dueAt" DATETIME NOT NULL,
    "intervalMs" INTEGER NOT NULL DEFAULT 14400000,
    "seen" TEXT,

    PRIMARY KEY ("accountId", "embedId")
);

-- CreateTable
CREATE TABLE "WatchedHost" (
    "host" TEXT NOT NULL PRIMARY KEY,
    "freeAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Watch_dueAt_idx" ON "Watch"("dueAt");

-- CreateIndex
CREATE INDEX "Watch_pageUrl_idx" ON "Watch"("pageUrl");

-- The rows follow the setting of each embed in the statement that changes it. Embeds without settings cost nothing.
CREATE TRIGGER "Embed_watch_insert" AFTER INSERT ON "Embed"
WHEN NEW."settings" IS NOT NULL AND json_extract(NEW."settings", '$.watch') IS NOT NULL BEGIN
    INSERT INTO "Watch" ("accountId", "embedId", "pageUrl", "watch", "dueAt")
    VALUES (NEW."accountId", NEW."id", NEW."pageUrl", json_extract(NEW."settings", '$.watch'),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'));
END;

CREATE TRIGGER "Embed_watch_update" AFTER UPDATE OF "settings", "pageUrl" ON "Embed"
WHEN (OLD."settings" IS NOT NULL OR NEW."settings" IS NOT NULL) AND (
    json_extract(OLD."settings", '$.watch') IS NOT json_extract(NEW."settings", '$.watch') OR OLD."pageUrl" <> NEW."pageUrl"
) BEGIN
    DELETE FROM "Watch" WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id";
    INSERT INTO "Watch" ("accountId", "embedId", "pageUrl", "watch", "dueAt")
    SELECT NEW."accountId", NEW."id", NEW."pageUrl", json_extract(NEW."settings", '$.watch'),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
    WHERE json_extract(NEW."settings", '$.watch') IS NOT NULL;
END;

CREATE TRIGGER "Embed_watch_delete" AFTER DELETE ON "Embed" WHEN OLD."settings" IS NOT NULL BEGIN
    DELETE FROM "Watch" WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id";
END;
