-- CreateTable
CREATE TABLE "Import" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "content" TEXT COLLATE "C" NOT NULL,
    "rows" INTEGER NOT NULL,
    "embeds" INTEGER NOT NULL,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "Import_pkey" PRIMARY KEY ("accountId","content")
);
