-- Tells the client which accounts to notify after its commit, instead of notifying: a transaction that notifies holds a lock
-- of the whole server until its commit is on disk. A message of the level INFO reaches the client whatever its settings are,
-- and is not logged by default.
CREATE OR REPLACE FUNCTION "Embed_change"() RETURNS trigger LANGUAGE plpgsql AS $$
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
            RAISE INFO 'embed_changed %', part."accountId";
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
