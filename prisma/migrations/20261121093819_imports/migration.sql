-- CreateTable
CREATE TABLE "Import" (
    "accountId" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "embeds" INTEGER NOT NULL,
    "finishedAt" DATETIME,

    PRIMARY KEY ("accountId", "content")
);
