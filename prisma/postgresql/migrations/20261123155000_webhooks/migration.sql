-- Inserts an event for each webhook of the account in the transaction of the change. Each statement names one account, so that
-- the tables can be distributed by account. The id begins with the time in milliseconds. The numbers of the deliveries of an
-- embed derive from its version.
CREATE FUNCTION "Embed_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    account RECORD;
    hook RECORD;
    embed RECORD;
    present CONSTANT timestamp := clock_timestamp() AT TIME ZONE 'utc';
    prefix CONSTANT text := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0');
BEGIN
    IF current_setting('embed_gateway.is_filling', true) = 'on' THEN
        RETURN NULL;
    END IF;
    FOR account IN SELECT DISTINCT "accountId" AS "id" FROM changed LOOP
        FOR hook IN
            SELECT "id" FROM "Webhook"
            WHERE "accountId" = account."id" AND "disabledAt" IS NULL AND strpos("events", ' ' || TG_ARGV[0] || ' ') > 0
        LOOP
            FOR embed IN SELECT * FROM changed WHERE "accountId" = account."id" LOOP
                INSERT INTO "WebhookDelivery" (
                    "accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt"
                ) VALUES (
                    account."id", prefix || left(replace(gen_random_uuid()::text, '-', ''), 20), hook."id", TG_ARGV[0],
                    embed."id", 2 * embed."version" + (TG_OP = 'DELETE')::int,
                    json_build_object('id', embed."id", 'createdAt', embed."createdAt" AT TIME ZONE 'utc',
                        'pageUrl', embed."pageUrl", 'pageId', embed."pageId", 'title', embed."title",
                        'mode', embed."mode", 'font', embed."font", 'showTopBar', embed."showTopBar")::text,
                    present, present
                );
            END LOOP;
        END LOOP;
    END LOOP;
    RETURN NULL;
END
$$;

-- On a cluster, a token can be revoked while the node of its account is away: its event is then lost.
CREATE FUNCTION "Token_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    hook RECORD;
    present CONSTANT timestamp := clock_timestamp() AT TIME ZONE 'utc';
    prefix CONSTANT text := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0');
BEGIN
    FOR hook IN
        SELECT "id" FROM "Webhook"
        WHERE "accountId" = NEW."accountId" AND "disabledAt" IS NULL AND strpos("events", ' ' || TG_ARGV[0] || ' ') > 0
    LOOP
        INSERT INTO "WebhookDelivery" (
            "accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt"
        ) VALUES (
            NEW."accountId", prefix || left(replace(gen_random_uuid()::text, '-', ''), 20), hook."id", TG_ARGV[0],
            NEW."id", (TG_OP = 'UPDATE')::int,
            json_build_object('id', NEW."id", 'name', NEW."name", 'scope', NEW."scope",
                'createdAt', NEW."createdAt" AT TIME ZONE 'utc', 'expiresAt', NEW."expiresAt" AT TIME ZONE 'utc',
                'revokedAt', NEW."revokedAt" AT TIME ZONE 'utc', 'lastUsedAt', NEW."lastUsedAt" AT TIME ZONE 'utc')::text,
            present, present
        );
    END LOOP;
    RETURN NULL;
EXCEPTION WHEN connection_exception THEN
    RAISE WARNING 'the event % of the token % was lost: %', TG_ARGV[0], NEW."id", SQLERRM;
    RETURN NULL;
END
$$;

-- CreateTable
CREATE TABLE "Webhook" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "previousSecret" TEXT,
    "previousSecretUntil" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "failingSince" TIMESTAMP(3),
    "disabledAt" TIMESTAMP(3),
    "disabledReason" TEXT,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("accountId","id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "type" TEXT NOT NULL,
    "subjectId" TEXT COLLATE "C" NOT NULL,
    "sequence" INTEGER NOT NULL,
    "data" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "dueAt" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attemptedAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "status" INTEGER,
    "response" TEXT,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("accountId","id")
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_dueAt_idx" ON "WebhookDelivery"("dueAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_subjectId_idx" ON "WebhookDelivery"("accountId", "subjectId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_webhookId_id_idx" ON "WebhookDelivery"("accountId", "webhookId", "id");

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_accountId_webhookId_fkey" FOREIGN KEY ("accountId", "webhookId") REFERENCES "Webhook"("accountId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER "Embed_webhook_insert" AFTER INSERT ON "Embed"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_webhook"('embed.created');
CREATE TRIGGER "Embed_webhook_update" AFTER UPDATE ON "Embed"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_webhook"('embed.updated');
CREATE TRIGGER "Embed_webhook_delete" AFTER DELETE ON "Embed"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_webhook"('embed.deleted');
CREATE TRIGGER "Token_webhook_insert" AFTER INSERT ON "Token"
    FOR EACH ROW EXECUTE FUNCTION "Token_webhook"('token.created');
CREATE TRIGGER "Token_webhook_update" AFTER UPDATE OF "revokedAt" ON "Token"
    FOR EACH ROW WHEN (OLD."revokedAt" IS NULL AND NEW."revokedAt" IS NOT NULL) EXECUTE FUNCTION "Token_webhook"('token.revoked');
