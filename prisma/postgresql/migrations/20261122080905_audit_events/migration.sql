-- CreateTable
CREATE TABLE "AuditEvent" (
    "accountId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "subjectId" TEXT,
    "subjectName" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("accountId","id")
);
