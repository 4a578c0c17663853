-- AlterTable
ALTER TABLE "Page" ADD COLUMN "fetchedAt" DATETIME;
ALTER TABLE "Page" ADD COLUMN "url" TEXT;

-- Copies without the time of their fetching cannot be shown; they are fetched again.
DELETE FROM "Page";
