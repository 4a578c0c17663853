-- The table is a cache. It is created again, so that the article stays the last column: SQLite reads a row from its start.
DROP TABLE "Page";

CREATE TABLE "Page" (
    "pageUrl" TEXT NOT NULL PRIMARY KEY,
    "freshUntil" DATETIME NOT NULL,
    "triedAt" DATETIME,
    "failure" TEXT,
    "failureReason" TEXT,
    "fetchedAt" DATETIME,
    "url" TEXT,
    "etag" TEXT,
    "lastModified" TEXT,
    "state" TEXT,
    "reason" TEXT,
    "title" TEXT,
    "site" TEXT,
    "narrowHeight" INTEGER,
    "wideHeight" INTEGER,
    "leaseUntil" DATETIME,
    "bytes" INTEGER NOT NULL,
    "article" TEXT
);

-- CreateIndex
CREATE INDEX "Page_freshUntil_idx" ON "Page"("freshUntil");
