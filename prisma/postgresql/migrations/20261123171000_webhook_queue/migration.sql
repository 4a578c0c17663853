-- Runs statement by statement.

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "WebhookDelivery_accountId_webhookId_dueAt_idx" ON "WebhookDelivery"("accountId", "webhookId", "dueAt");

-- CreateIndex
CREATE INDEX CONCURRENTLY IF NOT EXISTS "WebhookDelivery_accountId_subjectId_webhookId_sequence_idx" ON "WebhookDelivery"("accountId", "subjectId", "webhookId", "sequence");

-- DropIndex
-- The index above begins with the same columns, so the previous release reads that one.
DROP INDEX IF EXISTS "WebhookDelivery_accountId_subjectId_idx";
