-- CreateTable
CREATE TABLE "ChangeFeed" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "mark" TEXT NOT NULL,
    "previousMark" TEXT,
    "lastNumber" BIGINT NOT NULL,
    "renewedAt" TIMESTAMP(3) NOT NULL,
    "notifiedAt" TIMESTAMP(3),

    CONSTRAINT "ChangeFeed_pkey" PRIMARY KEY ("accountId")
);

-- CreateTable
CREATE TABLE "EmbedChange" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "lastNumber" BIGINT NOT NULL,
    "mark" TEXT NOT NULL,
    "previousMark" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "embedIds" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "EmbedChange_pkey" PRIMARY KEY ("accountId","lastNumber")
);

-- CreateIndex
CREATE INDEX "EmbedChange_createdAt_idx" ON "EmbedChange"("createdAt");

-- Gateways of the previous release read the notifications of this trigger, which contain the changes, until
-- `hashed_lists_contract`. Filling a new column is no change.
CREATE OR REPLACE FUNCTION "Embed_tell"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    part RECORD;
BEGIN
    IF current_setting('embed_gateway.is_filling', true) = 'on' THEN
        RETURN NULL;
    END IF;
    FOR part IN
        SELECT "accountId", string_agg("id", ',' ORDER BY "id") AS ids
        FROM (
            SELECT "accountId", "id", (row_number() OVER (PARTITION BY "accountId" ORDER BY "id") - 1) / 200 AS number
            FROM changed
        ) AS numbered
        GROUP BY "accountId", number
    LOOP
        IF NOT pg_try_advisory_xact_lock(1701667429, hashtext(part."accountId")) THEN
            PERFORM pg_notify('embed_changed', concat_ws(' ', TG_ARGV[0], part."accountId", part.ids));
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

-- Records the changes of a statement, for accounts that a gateway has followed in the last 7 minutes. Each statement names
-- one account and calls no function, so that the tables can be distributed by account.
--
-- The row of the feed stays locked until the commit. So the changes of one account are numbered in the order of their
-- commits, and a reader that sees a number also sees all lower ones. The order of the accounts prevents deadlocks.
--
-- A failover can undo a change that a reader has seen, and its number is used again. So each change also gets a random mark,
-- and names that of the change before it.
CREATE FUNCTION "Embed_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    present CONSTANT timestamp := now() AT TIME ZONE 'utc';
    valid_since CONSTANT timestamp := present - interval '7 minutes';
    part RECORD;
    last_number bigint;
    new_mark text;
    previous_mark text;
    notified_at timestamp;
BEGIN
    IF current_setting('embed_gateway.is_filling', true) = 'on' THEN
        RETURN NULL;
    END IF;
    FOR part IN
        SELECT "accountId", count(*) AS size, string_agg("id", ',' ORDER BY "id") AS ids
        FROM (
            SELECT "accountId", "id", (row_number() OVER (PARTITION BY "accountId" ORDER BY "id") - 1) / 200 AS number
            FROM changed
        ) AS numbered
        GROUP BY "accountId", number ORDER BY "accountId", number
    LOOP
        new_mark := left(replace(gen_random_uuid()::text, '-', ''), 16);
        UPDATE "ChangeFeed" SET "lastNumber" = "lastNumber" + part.size, "mark" = new_mark, "previousMark" = "mark"
        WHERE "accountId" = part."accountId" AND "renewedAt" > valid_since
        RETURNING "lastNumber", "previousMark", "notifiedAt" INTO last_number, previous_mark, notified_at;
        CONTINUE WHEN NOT FOUND;
        INSERT INTO "EmbedChange" ("accountId", "lastNumber", "mark", "previousMark", "kind", "embedIds", "createdAt")
        VALUES (part."accountId", last_number, new_mark, previous_mark, TG_ARGV[0], part.ids, present);
        IF notified_at > valid_since THEN
            PERFORM pg_notify('embed_changed', concat_ws(' ', part."accountId", last_number));
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE TRIGGER "Embed_change_insert" AFTER INSERT ON "Embed"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_change"('CREATED');
CREATE TRIGGER "Embed_change_update" AFTER UPDATE ON "Embed"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_change"('UPDATED');
CREATE TRIGGER "Embed_change_delete" AFTER DELETE ON "Embed"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_change"('DELETED');
