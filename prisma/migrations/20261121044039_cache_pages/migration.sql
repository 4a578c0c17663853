-- CreateTable
CREATE TABLE "Page" (
    "pageUrl" TEXT NOT NULL PRIMARY KEY,
    "freshUntil" DATETIME NOT NULL,
    "etag" TEXT,
    "lastModified" TEXT,
    "bytes" INTEGER NOT NULL,
    "article" TEXT
);

-- CreateIndex
CREATE INDEX "Page_freshUntil_idx" ON "Page"("freshUntil");
