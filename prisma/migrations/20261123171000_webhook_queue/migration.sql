-- DropIndex
DROP INDEX "WebhookDelivery_accountId_subjectId_idx";

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_webhookId_dueAt_idx" ON "WebhookDelivery"("accountId", "webhookId", "dueAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_accountId_subjectId_webhookId_sequence_idx" ON "WebhookDelivery"("accountId", "subjectId", "webhookId", "sequence");
