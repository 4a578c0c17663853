-- AlterTable
ALTER TABLE "Embed" ADD COLUMN "updatedAt" DATETIME;
ALTER TABLE "Embed" ADD COLUMN "externalId" TEXT;

-- CreateIndex
-- An embed without an external id is not in the index, so that its create takes no longer.
CREATE UNIQUE INDEX "Embed_accountId_externalId_key" ON "Embed"("accountId", "externalId") WHERE "externalId" IS NOT NULL;
