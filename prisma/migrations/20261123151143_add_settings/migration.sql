-- AlterTable
ALTER TABLE "Account" ADD COLUMN "settings" TEXT;

-- AlterTable
ALTER TABLE "Embed" ADD COLUMN "settings" TEXT;
