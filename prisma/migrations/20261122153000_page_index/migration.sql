-- The embeds of a page. The search index has them too, but a look-up there reads each of its segments, whose number grows with
-- the embeds. The first 8 digits of a page id leave few others: the whole id would take twice the space.
CREATE INDEX "Embed_page_idx" ON "Embed" ("accountId", substr("pageId", 1, 8));
