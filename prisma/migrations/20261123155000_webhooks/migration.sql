-- CreateTable
CREATE TABLE "Webhook" (
    "accountId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "previousSecret" TEXT,
    "previousSecretUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "failingSince" DATETIME,
    "disabledAt" DATETIME,
    "disabledReason" TEXT,

    PRIMARY KEY ("accountId", "id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "accountId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "webhookId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "data" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "dueAt" DATETIME,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attemptedAt" DATETIME,
    "deliveredAt" DATETIME,
    "status" INTEGER,
    "response" TEXT,

    PRIMARY KEY ("accountId", "id"),
    CONSTRAINT "WebhookDelivery_accountId_webhookId_fkey" FOREIGN KEY ("accountId", "webhookId") REFERENCES "Webhook" ("accountId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_dueAt_idx" ON "WebhookDelivery"("dueAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_subjectId_idx" ON "WebhookDelivery"("accountId", "subjectId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_webhookId_id_idx" ON "WebhookDelivery"("accountId", "webhookId", "id");

-- An event is inserted for each webhook of the account in the statement that makes the change, or not at all. The id begins
-- with the time in milliseconds. The numbers of the deliveries of an embed derive from its version.
CREATE TRIGGER "Embed_webhook_insert" AFTER INSERT ON "Embed"
WHEN EXISTS (SELECT 1 FROM "Webhook" WHERE "accountId" = NEW."accountId") BEGIN
    INSERT INTO "WebhookDelivery" ("accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt")
    SELECT "accountId", printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), "id",
        'embed.created', NEW."id", 2 * NEW."version",
        json_object('id', NEW."id", 'createdAt', NEW."createdAt", 'pageUrl', NEW."pageUrl", 'pageId', NEW."pageId",
            'title', NEW."title", 'mode', NEW."mode", 'font', NEW."font", 'showTopBar', NEW."showTopBar"),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
    FROM "Webhook"
    WHERE "accountId" = NEW."accountId" AND "disabledAt" IS NULL AND instr("events", ' embed.created ') > 0;
END;

CREATE TRIGGER "Embed_webhook_update" AFTER UPDATE ON "Embed"
WHEN OLD."version" <> NEW."version" AND EXISTS (SELECT 1 FROM "Webhook" WHERE "accountId" = NEW."accountId") BEGIN
    INSERT INTO "WebhookDelivery" ("accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt")
    SELECT "accountId", printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), "id",
        'embed.updated', NEW."id", 2 * NEW."version",
        json_object('id', NEW."id", 'createdAt', NEW."createdAt", 'pageUrl', NEW."pageUrl", 'pageId', NEW."pageId",
            'title', NEW."title", 'mode', NEW."mode", 'font', NEW."font", 'showTopBar', NEW."showTopBar"),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
    FROM "Webhook"
    WHERE "accountId" = NEW."accountId" AND "disabledAt" IS NULL AND instr("events", ' embed.updated ') > 0;
END;

CREATE TRIGGER "Embed_webhook_delete" AFTER DELETE ON "Embed"
WHEN EXISTS (SELECT 1 FROM "Webhook" WHERE "accountId" = OLD."accountId") BEGIN
    INSERT INTO "WebhookDelivery" ("accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt")
    SELECT "accountId", printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), "id",
        'embed.deleted', OLD."id", 2 * OLD."version" + 1,
        json_object('id', OLD."id", 'createdAt', OLD."createdAt", 'pageUrl', OLD."pageUrl", 'pageId', OLD."pageId",
            'title', OLD."title", 'mode', OLD."mode", 'font', OLD."font", 'showTopBar', OLD."showTopBar"),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
    FROM "Webhook"
    WHERE "accountId" = OLD."accountId" AND "disabledAt" IS NULL AND instr("events", ' embed.deleted ') > 0;
END;

CREATE TRIGGER "Token_webhook_insert" AFTER INSERT ON "Token" BEGIN
    INSERT INTO "WebhookDelivery" ("accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt")
    SELECT "accountId", printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), "id",
        'token.created', NEW."id", 0,
        json_object('id', NEW."id", 'name', NEW."name", 'scope', NEW."scope", 'createdAt', NEW."createdAt",
            'expiresAt', NEW."expiresAt", 'revokedAt', NEW."revokedAt", 'lastUsedAt', NEW."lastUsedAt"),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
    FROM "Webhook"
    WHERE "accountId" = NEW."accountId" AND "disabledAt" IS NULL AND instr("events", ' token.created ') > 0;
END;

CREATE TRIGGER "Token_webhook_update" AFTER UPDATE OF "revokedAt" ON "Token"
WHEN OLD."revokedAt" IS NULL AND NEW."revokedAt" IS NOT NULL BEGIN
    INSERT INTO "WebhookDelivery" ("accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt")
    SELECT "accountId", printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), "id",
        'token.revoked', NEW."id", 1,
        json_object('id', NEW."id", 'name', NEW."name", 'scope', NEW."scope", 'createdAt', NEW."createdAt",
            'expiresAt', NEW."expiresAt", 'revokedAt', NEW."revokedAt", 'lastUsedAt', NEW."lastUsedAt"),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')
    FROM "Webhook"
    WHERE "accountId" = NEW."accountId" AND "disabledAt" IS NULL AND instr("events", ' token.revoked ') > 0;
END;
