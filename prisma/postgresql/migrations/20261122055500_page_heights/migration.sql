-- AlterTable
ALTER TABLE "Page" ADD COLUMN     "narrowHeight" INTEGER,
ADD COLUMN     "wideHeight" INTEGER;

-- Articles without an estimate are fetched again.
TRUNCATE "Page";
