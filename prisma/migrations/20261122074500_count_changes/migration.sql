-- AlterTable
ALTER TABLE "Account" ADD COLUMN "changeCount" BIGINT NOT NULL DEFAULT 0;

-- The count of changes shares its row with the total, so that a create or a delete writes no further page.
DROP TRIGGER "Embed_count_insert";
CREATE TRIGGER "Embed_count_insert" AFTER INSERT ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" + 1, "changeCount" = "changeCount" + 1 WHERE "id" = NEW."accountId";
END;

DROP TRIGGER "Embed_count_delete";
CREATE TRIGGER "Embed_count_delete" AFTER DELETE ON "Embed" BEGIN
    UPDATE "Account" SET "embedCount" = "embedCount" - 1, "changeCount" = "changeCount" + 1 WHERE "id" = OLD."accountId";
END;

CREATE TRIGGER "Embed_count_update" AFTER UPDATE ON "Embed" BEGIN
    UPDATE "Account" SET "changeCount" = "changeCount" + 1 WHERE "id" IN (OLD."accountId", NEW."accountId");
END;
