-- DropIndex
DROP INDEX "Token_accountId_idx";

-- AlterTable
ALTER TABLE "Token" ADD COLUMN "lastUsedAt" DATETIME;

-- CreateIndex
CREATE INDEX "Token_accountId_createdAt_id_idx" ON "Token"("accountId", "createdAt", "id");
