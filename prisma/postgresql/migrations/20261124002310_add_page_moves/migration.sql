-- AlterTable
ALTER TABLE "Page" ADD COLUMN     "movedTo" TEXT;
