-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "createdAt" DATETIME NOT NULL,
    "embedCount" INTEGER NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "Token" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "revokedAt" DATETIME,
    CONSTRAINT "Token_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Embed" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "pageUrl" TEXT NOT NULL,
    "pageId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "font" TEXT NOT NULL,
    "showTopBar" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "Embed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");

-- CreateIndex
CREATE INDEX "Token_accountId_idx" ON "Token"("accountId");

-- CreateIndex
CREATE INDEX "Embed_accountId_id_idx" ON "Embed"("accountId", "id");

-- An account's total is kept by the database itself, one row at a time, whichever statement changes its embeds.
-- SQLite drops a table's triggers when a later migration redefines the table: such a migration must make them again.
CREATE TRIGGER "Embed_count_insert" AFTER INSERT ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" + 1 WHERE "id" = NEW."accountId";
END;

CREATE TRIGGER "Embed_count_delete" AFTER DELETE ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" - 1 WHERE "id" = OLD."accountId";
END;

CREATE TRIGGER "Embed_count_move" AFTER UPDATE OF "accountId" ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" - 1 WHERE "id" = OLD."accountId";
    UPDATE "Account" SET "embedCount" = "embedCount" + 1 WHERE "id" = NEW."accountId";
END;
