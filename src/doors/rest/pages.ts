import { embedNotFound } from '../../domain/embed/embed.ts';
import { spellValue, withRestNames } from '../../domain/input/parameters.ts';
import { articleNotFound } from '../../domain/page-copy.ts';
import {
  type PagePartsFragment,
  RefreshPageDocument,
  RetrieveArticleDocument,
  type RetrieveArticleQuery,
  RetrievePageDocument,
} from '../../generated/operations.ts';
import { etagOf } from '../../http/negotiation.ts';
import { type Reply, reply } from '../../http/reply.ts';
import { unlessKnown } from '../../http/representation.ts';
import { CACHE_CONTROL, type Call, json, requireAcceptable } from './embeds.ts';

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

type Article = Required<NonNullable<NonNullable<RetrieveArticleQuery['embed']>['page']['article']>>;

const TEXTS = { 'text/markdown': 'markdown', 'text/html': 'html', 'text/plain': 'text' } as const;

export const TEXT_TYPES = Object.keys(TEXTS) as readonly (keyof typeof TEXTS)[];
const TYPES = ['application/json', ...TEXT_TYPES] as const;

/** `GET /v1/embeds/{id}/article`, in the form that `Accept` prefers (RFC 9110 section 12.5.1). */
export async function retrieveArticle(call: Call): Promise<Reply> {
  const { run, id, headers } = call;
  const type = requireAcceptable(call, TYPES);
  const facts = type === 'application/json';
  const form = facts ? null : TEXTS[type];
  const select = (name: string) => facts || form === name;
  const selected = { html: select('html'), markdown: select('markdown'), text: select('text'), facts };
  const { embed } = await run(RetrieveArticleDocument, { id, ...selected });
  if (!embed) throw embedNotFound();
  const { state, reason } = embed.page;
  if (!embed.page.article) throw articleNotFound(spellValue(state, 'rest'), reason);
  const article = embed.page.article as Article;
  const body = form === null ? JSON.stringify({ article: toRestArticle(article) }) : article[form];
  const common = { etag: etagOf(type + body), 'cache-control': CACHE_CONTROL, vary: 'Accept' };
  return unlessKnown(headers, reply(body, { headers: { 'content-type': `${type}; charset=utf-8`, ...common } }));
}

export function toRestArticle({ publishedAt, modifiedAt, wordCount, ...article }: Article) {
  return { ...article, published_at: publishedAt, modified_at: modifiedAt, word_count: wordCount };
}
