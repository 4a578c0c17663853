-- CreateTable
CREATE TABLE "IdempotentCreate" (
    "accountId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "leaseUntil" DATETIME NOT NULL,
    "isDone" BOOLEAN NOT NULL,
    "embed" TEXT NOT NULL,

    PRIMARY KEY ("accountId", "key")
);

-- CreateIndex
CREATE INDEX "IdempotentCreate_createdAt_idx" ON "IdempotentCreate"("createdAt");
