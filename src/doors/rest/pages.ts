import { embedNotFound } from '../../domain/embed/embed.ts';
import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import { type PagePartsFragment, RefreshPageDocument, RetrievePageDocument } from '../../generated/operations.ts';
import type { Reply } from '../../http/reply.ts';
import { type Call, json } from './embeds.ts';

/** `GET /v1/embeds/{id}/page`. */
export async function retrievePage({ run, id }: Call): Promise<Reply> {
  const { embed } = await run(RetrievePageDocument, { id });
  if (!embed) throw embedNotFound();
  return pageReply(embed.page);
}

/** `POST /v1/embeds/{id}/refresh`. */
export async function refreshPage({ run, id }: Call): Promise<Reply> {
  const { refreshPage } = await run(RefreshPageDocument, { input: { embedId: id } });
  return pageReply(refreshPage.embed.page);
}

function pageReply(page: PagePartsFragment): Reply {
  return json(200, JSON.stringify({ page: toRestPage(page) }));
}

export function toRestPage(page: PagePartsFragment) {
  return withRestNames({ ...page, state: spellValue(page.state, 'rest') });
}
