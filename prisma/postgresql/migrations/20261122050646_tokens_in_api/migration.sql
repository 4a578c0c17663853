-- DropIndex
DROP INDEX "Token_accountId_idx";

-- AlterTable
ALTER TABLE "Token" ADD COLUMN "lastUsedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "Token_accountId_createdAt_id_idx" ON "Token"("accountId", "createdAt", "id");
