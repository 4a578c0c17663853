-- CreateTable
CREATE TABLE "Session" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "tokenHash" TEXT,
    "person" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "Session_holder_createdAt_idx" ON "Session"("holder", "createdAt");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");
