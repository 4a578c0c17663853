-- Keys compare as bytes (COLLATE "C"): ids are in the order of creation, whatever language the database is set up for.

-- CreateEnum
CREATE TYPE "EmbedMode" AS ENUM ('LIGHT', 'DARK', 'AUTO', 'USER_DEFINED');

-- CreateTable
CREATE UNLOGGED TABLE "Quota" (
    "key" TEXT COLLATE "C" NOT NULL,
    "used" INTEGER NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Quota_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "embedCount" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Token" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "Token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotentCreate" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "leaseUntil" TIMESTAMP(3) NOT NULL,
    "isDone" BOOLEAN NOT NULL,
    "embed" TEXT NOT NULL,

    CONSTRAINT "IdempotentCreate_pkey" PRIMARY KEY ("accountId","key")
);

-- CreateTable
CREATE TABLE "Page" (
    "pageUrl" TEXT COLLATE "C" NOT NULL,
    "freshUntil" TIMESTAMP(3) NOT NULL,
    "fetchedAt" TIMESTAMP(3),
    "url" TEXT,
    "etag" TEXT,
    "lastModified" TEXT,
    "bytes" INTEGER NOT NULL,
    "article" TEXT,

    CONSTRAINT "Page_pkey" PRIMARY KEY ("pageUrl")
);

-- CreateTable
CREATE TABLE "Embed" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "pageUrl" TEXT NOT NULL,
    "pageId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "mode" "EmbedMode" NOT NULL,
    "font" TEXT NOT NULL,
    "showTopBar" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "Embed_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");

-- CreateIndex
CREATE INDEX "Token_accountId_idx" ON "Token"("accountId");

-- CreateIndex
CREATE INDEX "IdempotentCreate_createdAt_idx" ON "IdempotentCreate"("createdAt");

-- CreateIndex
CREATE INDEX "Page_freshUntil_idx" ON "Page"("freshUntil");

-- CreateIndex
CREATE INDEX "Embed_accountId_id_idx" ON "Embed"("accountId", "id");

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Embed" ADD CONSTRAINT "Embed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- An account's total is kept by the database itself, one row at a time, whichever statement changes its embeds.
CREATE FUNCTION "Embed_count"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE "Account" SET "embedCount" = "embedCount" - 1 WHERE "id" = OLD."accountId";
    END IF;
    IF TG_OP <> 'DELETE' THEN
        UPDATE "Account" SET "embedCount" = "embedCount" + 1 WHERE "id" = NEW."accountId";
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "Embed_count_insert" AFTER INSERT ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_count"();
CREATE TRIGGER "Embed_count_delete" AFTER DELETE ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_count"();
CREATE TRIGGER "Embed_count_move" AFTER UPDATE OF "accountId" ON "Embed" FOR EACH ROW EXECUTE FUNCTION "Embed_count"();
