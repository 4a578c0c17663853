-- A webhook that is deleted meanwhile gets no event: the insert would fail with the change. The key of each delivery takes the
-- same lock.
CREATE OR REPLACE FUNCTION "Embed_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    account RECORD;
    hook RECORD;
    embed RECORD;
    present CONSTANT timestamp := clock_timestamp() AT TIME ZONE 'utc';
    prefix CONSTANT text := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0');
BEGIN
    IF current_setting('embed_gateway.is_filling', true) = 'on' THEN
        RETURN NULL;
    END IF;
    FOR account IN SELECT DISTINCT "accountId" AS "id" FROM changed LOOP
        FOR hook IN
            SELECT "id" FROM "Webhook"
            WHERE "accountId" = account."id" AND "disabledAt" IS NULL AND strpos("events", ' ' || TG_ARGV[0] || ' ') > 0
            FOR KEY SHARE
        LOOP
            FOR embed IN SELECT * FROM changed WHERE "accountId" = account."id" LOOP
                INSERT INTO "WebhookDelivery" (
                    "accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt"
                ) VALUES (
                    account."id", prefix || left(replace(gen_random_uuid()::text, '-', ''), 20), hook."id", TG_ARGV[0],
                    embed."id", 2 * embed."version" + (TG_OP = 'DELETE')::int,
                    json_build_object('id', embed."id", 'createdAt', embed."createdAt" AT TIME ZONE 'utc',
                        'pageUrl', embed."pageUrl", 'pageId', embed."pageId", 'title', embed."title",
                        'mode', embed."mode", 'font', embed."font", 'showTopBar', embed."showTopBar")::text,
                    present, present
                );
            END LOOP;
        END LOOP;
    END LOOP;
    RETURN NULL;
END
$$;

-- On a cluster, a token can be revoked while the node of its account is away: its event is then lost.
CREATE OR REPLACE FUNCTION "Token_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    hook RECORD;
    present CONSTANT timestamp := clock_timestamp() AT TIME ZONE 'utc';
    prefix CONSTANT text := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0');
BEGIN
    FOR hook IN
        SELECT "id" FROM "Webhook"
        WHERE "accountId" = NEW."accountId" AND "disabledAt" IS NULL AND strpos("events", ' ' || TG_ARGV[0] || ' ') > 0
        FOR KEY SHARE
    LOOP
        INSERT INTO "WebhookDelivery" (
            "accountId", "id", "webhookId", "type", "subjectId", "sequence", "data", "createdAt", "dueAt"
        ) VALUES (
            NEW."accountId", prefix || left(replace(gen_random_uuid()::text, '-', ''), 20), hook."id", TG_ARGV[0],
            NEW."id", (TG_OP = 'UPDATE')::int,
            json_build_object('id', NEW."id", 'name', NEW."name", 'scope', NEW."scope",
                'createdAt', NEW."createdAt" AT TIME ZONE 'utc', 'expiresAt', NEW."expiresAt" AT TIME ZONE 'utc',
                'revokedAt', NEW."revokedAt" AT TIME ZONE 'utc', 'lastUsedAt', NEW."lastUsedAt" AT TIME ZONE 'utc')::text,
            present, present
        );
    END LOOP;
    RETURN NULL;
EXCEPTION WHEN connection_exception THEN
    RAISE WARNING 'the event % of the token % was lost: %', TG_ARGV[0], NEW."id", SQLERRM;
    RETURN NULL;
END
$$;
