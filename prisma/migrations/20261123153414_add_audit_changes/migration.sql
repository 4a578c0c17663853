-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN "changes" TEXT;
