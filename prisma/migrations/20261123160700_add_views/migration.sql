-- CreateTable
CREATE TABLE "ViewCount" (
    "accountId" TEXT NOT NULL,
    "embedId" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "site" TEXT NOT NULL,
    "views" INTEGER NOT NULL,
    "reads" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "embedId", "day", "site")
);

-- CreateIndex
CREATE INDEX "ViewCount_accountId_day_idx" ON "ViewCount"("accountId", "day");
