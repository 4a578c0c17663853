-- Runs statement by statement.

-- AlterTable
ALTER TABLE "Token" ADD COLUMN IF NOT EXISTS "lastUsedAt" TIMESTAMP(3);

-- CreateIndex
-- It replaces "Token_accountId_idx", which `hashed_lists_contract` drops.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Token_accountId_createdAt_id_idx" ON "Token"("accountId", "createdAt", "id");
