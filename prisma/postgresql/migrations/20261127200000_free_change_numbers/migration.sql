-- Runs statement by statement.
-- An earlier form of `keep_changes` kept the changes of feeds that began again. A new change with the number of one of them
-- would fail, and with it the write of the embed.
DELETE FROM "EmbedChange" AS c WHERE NOT EXISTS (
    SELECT 1 FROM "ChangeFeed" AS f WHERE f."accountId" = c."accountId" AND f."lastNumber" >= c."lastNumber"
);

-- A change of several embeds can skip a number. Where an old change is left between new ones, no reader gets past it.
DELETE FROM "EmbedChange" AS c USING (
    SELECT "accountId", max("lastNumber") AS "lastNumber"
    FROM (
        SELECT "accountId", "lastNumber", "previousMark" <> lag("mark") OVER (
            PARTITION BY "accountId" ORDER BY "lastNumber"
        ) AS "isBroken"
        FROM "EmbedChange"
    ) AS follower
    WHERE "isBroken" GROUP BY "accountId"
) AS broken
WHERE c."accountId" = broken."accountId" AND c."lastNumber" < broken."lastNumber";
