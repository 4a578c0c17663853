-- The embeds of a page. The search index has them too, but a look-up there reads each of its segments, whose number grows with
-- the embeds. Ids that are made together differ in their last 8 digits. The whole id would take twice the space.
CREATE INDEX "Embed_page_idx" ON "Embed" ("accountId", substr("pageId", -8));
