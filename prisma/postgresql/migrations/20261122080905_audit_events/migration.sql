-- CreateTable
CREATE TABLE "AuditEvent" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "subjectId" TEXT,
    "subjectName" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("accountId","id")
);
