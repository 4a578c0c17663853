-- AlterTable
ALTER TABLE "Page" ADD COLUMN "watchRefusal" TEXT;
