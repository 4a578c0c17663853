-- Records the changes of all accounts, also of those that no gateway follows. The first change of an account creates its feed.
CREATE OR REPLACE FUNCTION "Embed_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    present CONSTANT timestamp := now() AT TIME ZONE 'utc';
    part RECORD;
    first_mark text;
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
        first_mark := left(md5(part."accountId"), 16);
        new_mark := left(replace(gen_random_uuid()::text, '-', ''), 16);
        INSERT INTO "ChangeFeed" AS f ("accountId", "mark", "previousMark", "lastNumber", "renewedAt")
        VALUES (part."accountId", new_mark, first_mark, part.size, present)
        ON CONFLICT ("accountId") DO UPDATE SET
            "lastNumber" = f."lastNumber" + excluded."lastNumber", "mark" = excluded."mark", "previousMark" = f."mark"
        RETURNING "lastNumber", "previousMark", "notifiedAt" INTO last_number, previous_mark, notified_at;
        INSERT INTO "EmbedChange" ("accountId", "lastNumber", "mark", "previousMark", "kind", "embedIds", "createdAt")
        VALUES (part."accountId", last_number, new_mark, previous_mark, TG_ARGV[0], part.ids, present);
        IF notified_at > present - interval '7 minutes' THEN
            RAISE INFO 'embed_changed %', part."accountId";
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

-- Feeds that were not followed when this migration ran lack changes: they begin again, without the changes whose numbers
-- the new ones get.
DELETE FROM "ChangeFeed" WHERE "renewedAt" < (now() AT TIME ZONE 'utc') - interval '7 minutes';

DELETE FROM "EmbedChange" AS c WHERE NOT EXISTS (SELECT 1 FROM "ChangeFeed" AS f WHERE f."accountId" = c."accountId");
