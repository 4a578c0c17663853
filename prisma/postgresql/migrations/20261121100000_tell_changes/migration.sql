-- Tells which embeds a statement created, updated or deleted: one notification for each account and 200 ids, well below the
-- 8,000 bytes that it may have. The ids are read by whoever hears of them.
--
-- Only of accounts that somebody listens for, who holds a shared lock: a commit that notifies waits for all others that do,
-- while one that finds the lock free has it until it is committed, so that who begins to listen waits for it. Of writes that
-- meet, some find the lock taken by each other: they notify nobody, which does no harm.
CREATE FUNCTION "Embed_tell"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    told RECORD;
BEGIN
    FOR told IN
        SELECT "accountId", string_agg("id", ',' ORDER BY "id") AS ids
        FROM (
            SELECT "accountId", "id", (row_number() OVER (PARTITION BY "accountId" ORDER BY "id") - 1) / 200 AS part
            FROM changed
        ) AS parted
        GROUP BY "accountId", part
    LOOP
        IF NOT pg_try_advisory_xact_lock(1701667429, hashtext(told."accountId")) THEN
            PERFORM pg_notify('embed_changed', concat_ws(' ', TG_ARGV[0], told."accountId", told.ids));
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE TRIGGER "Embed_tell_insert" AFTER INSERT ON "Embed"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_tell"('CREATED');
CREATE TRIGGER "Embed_tell_update" AFTER UPDATE ON "Embed"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_tell"('UPDATED');
CREATE TRIGGER "Embed_tell_delete" AFTER DELETE ON "Embed"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "Embed_tell"('DELETED');
