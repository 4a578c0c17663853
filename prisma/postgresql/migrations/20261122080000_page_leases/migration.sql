-- AlterTable
ALTER TABLE "Page" ADD COLUMN     "leaseUntil" TIMESTAMP(3);
