-- CreateTable
CREATE TABLE "ViewCount" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "embedId" TEXT COLLATE "C" NOT NULL,
    "day" TEXT COLLATE "C" NOT NULL,
    "site" TEXT COLLATE "C" NOT NULL,
    "views" INTEGER NOT NULL,
    "reads" INTEGER NOT NULL,

    CONSTRAINT "ViewCount_pkey" PRIMARY KEY ("accountId","embedId","day","site")
);

-- CreateIndex
CREATE INDEX "ViewCount_accountId_day_idx" ON "ViewCount"("accountId", "day");
