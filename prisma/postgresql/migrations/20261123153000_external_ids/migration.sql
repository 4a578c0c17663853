-- Runs statement by statement.

-- AlterTable
ALTER TABLE "Embed" ADD COLUMN IF NOT EXISTS "updatedAt" TIMESTAMP(3), ADD COLUMN IF NOT EXISTS "externalId" TEXT COLLATE "C";

-- CreateIndex
-- An embed without an external id is not in the index, so that its create takes no longer.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "Embed_accountId_externalId_key" ON "Embed"("accountId", "externalId")
    WHERE "externalId" IS NOT NULL;
