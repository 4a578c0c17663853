-- The embeds of a page. The search index has them too, but a look-up there reads each of its segments, whose number grows with
-- the embeds. The first half of the page id, as 8 bytes: the text would take three times the space.
CREATE INDEX "Embed_page_idx" ON "Embed" ("accountId", unhex(substr(replace("pageId", '-', ''), 1, 16)));
