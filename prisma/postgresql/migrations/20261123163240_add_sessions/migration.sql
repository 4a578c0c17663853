-- CreateTable
CREATE TABLE "Session" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL,
    "tokenHash" TEXT,
    "person" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "Session_holder_createdAt_idx" ON "Session"("holder", "createdAt");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");
