-- CreateTable
CREATE TABLE "PageVersion" (
    "pageUrl" TEXT NOT NULL,
    "fetchedAt" DATETIME NOT NULL,
    "text" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,

    PRIMARY KEY ("pageUrl", "fetchedAt")
);

-- CreateIndex
CREATE INDEX "PageVersion_fetchedAt_idx" ON "PageVersion"("fetchedAt");
