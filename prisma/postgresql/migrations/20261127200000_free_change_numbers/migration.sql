-- An earlier form of `keep_changes` kept the changes of feeds that began again. A new change with the number of one of them
-- would fail, and with it the write of the embed.
DELETE FROM "EmbedChange" AS c WHERE NOT EXISTS (
    SELECT 1 FROM "ChangeFeed" AS f WHERE f."accountId" = c."accountId" AND f."lastNumber" >= c."lastNumber"
);
