-- CreateTable
CREATE TABLE "PageVersion" (
    "pageUrl" TEXT COLLATE "C" NOT NULL,
    "fetchedAt" TIMESTAMP(3) NOT NULL,
    "text" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "PageVersion_pkey" PRIMARY KEY ("pageUrl","fetchedAt")
);

-- CreateIndex
CREATE INDEX "PageVersion_fetchedAt_idx" ON "PageVersion"("fetchedAt");
