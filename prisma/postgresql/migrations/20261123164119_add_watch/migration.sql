-- The rows follow the setting of each embed in the transaction of the change. Embeds without settings cost nothing.
CREATE FUNCTION "Embed_watch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "Watch" WHERE "accountId" = OLD."accountId" AND "embedId" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' AND NEW."settings"::jsonb ->> 'watch' IS NOT NULL THEN
        INSERT INTO "Watch" ("accountId", "embedId", "pageUrl", "watch", "dueAt")
        VALUES (NEW."accountId", NEW."id", NEW."pageUrl", NEW."settings"::jsonb ->> 'watch', clock_timestamp() AT TIME ZONE 'utc');
    END IF;
    RETURN NULL;
END
$$;

-- CreateTable
CREATE TABLE "Watch" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "embedId" TEXT COLLATE "C" NOT NULL,
    "pageUrl" TEXT COLLATE "C" NOT NULL,
    "watch" TEXT NOT NULL,
    "host" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "dueAt" TIMESTAMP(3) NOT NULL,
    "intervalMs" INTEGER NOT NULL DEFAULT 14400000,
    "seen" TEXT,

    CONSTRAINT "Watch_pkey" PRIMARY KEY ("accountId","embedId")
);

-- CreateTable
CREATE TABLE "WatchedHost" (
    "host" TEXT COLLATE "C" NOT NULL,
    "freeAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "WatchedHost_pkey" PRIMARY KEY ("host")
);

-- CreateIndex
CREATE INDEX "Watch_dueAt_idx" ON "Watch"("dueAt");

-- CreateIndex
CREATE INDEX "Watch_pageUrl_idx" ON "Watch"("pageUrl");

CREATE TRIGGER "Embed_watch_insert" AFTER INSERT ON "Embed"
    FOR EACH ROW WHEN (NEW."settings" IS NOT NULL) EXECUTE FUNCTION "Embed_watch"();
CREATE TRIGGER "Embed_watch_update" AFTER UPDATE OF "settings", "pageUrl" ON "Embed"
    FOR EACH ROW WHEN ((OLD."settings" IS NOT NULL OR NEW."settings" IS NOT NULL) AND (
        OLD."settings"::jsonb ->> 'watch' IS DISTINCT FROM NEW."settings"::jsonb ->> 'watch'
        OR OLD."pageUrl" <> NEW."pageUrl"
    )) EXECUTE FUNCTION "Embed_watch"();
CREATE TRIGGER "Embed_watch_delete" AFTER DELETE ON "Embed"
    FOR EACH ROW WHEN (OLD."settings" IS NOT NULL) EXECUTE FUNCTION "Embed_watch"();
