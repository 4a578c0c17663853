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
import { CACHE_CONTROL, json, requireAcceptable, requireEmbed } from './replies.ts';
import type { ResourceSpecs } from './resource.ts';

type Article = Required<NonNullable<NonNullable<RetrieveArticleQuery['embed']>['page']['article']>>;

const TEXTS = { 'text/markdown': 'markdown', 'text/html': 'html', 'text/plain': 'text' } as const;

const TEXT_TYPES = Object.keys(TEXTS) as readonly (keyof typeof TEXTS)[];
const TYPES = ['application/json', ...TEXT_TYPES] as const;

export const PAGE_RESOURCES: ResourceSpecs = {
  '/v1/embeds/{id}/page': {
    GET: {
      scope: 'read',
      success: { description: 'What is known about the page.', body: 'PageAnswer' },
      id: 'retrievePage',
      summary: 'Retrieve the page of an embed',
      description:
        'Returns what is known about the source page of an embed: whether the embed shows a copy, or why it shows a card. Fetches nothing.',
      handle: async ({ run, id }) => pageReply(requireEmbed(await run(RetrievePageDocument, { id }))),
    },
  },
  '/v1/embeds/{id}/article': {
    GET: {
      requestHeaders: ['If-None-Match'],
      scope: 'read',
      success: {
        description: 'The article, in the form that `Accept` prefers.',
        body: 'ArticleAnswer',
        texts: TEXT_TYPES,
        headers: ['ETag'],
      },
      id: 'retrieveArticle',
      summary: 'Retrieve the article of an embed',
      description:
        'Returns the article that the embed shows: all of it as JSON, or its text as Markdown, HTML or plain text, whichever `Accept` prefers. Fetches nothing. If the embed shows a card, the response is 404 with the state of the page.',
      handle: async (call) => {
        const { run, id, headers } = call;
        const type = requireAcceptable(call, TYPES);
        const facts = type === 'application/json';
        const form = facts ? null : TEXTS[type];
        const select = (name: string) => facts || form === name;
        const selected = { html: select('html'), markdown: select('markdown'), text: select('text'), facts };
        const { page } = requireEmbed(await run(RetrieveArticleDocument, { id, ...selected }));
        if (!page.article) throw articleNotFound(spellValue(page.state), page.reason);
        const article = page.article as Article;
        const body = form === null ? JSON.stringify({ article: withRestNames(article) }) : article[form];
        const common = { etag: etagOf(type + body), 'cache-control': CACHE_CONTROL, vary: 'Accept' };
        return unlessKnown(headers, reply(body, { headers: { 'content-type': `${type}; charset=utf-8`, ...common } }));
      },
    },
  },
  '/v1/embeds/{id}/refresh': {
    POST: {
      scope: 'write',
      success: { description: 'What is now known about the page.', body: 'PageAnswer' },
      id: 'refreshPage',
      summary: 'Refresh the page of an embed',
      description:
        'Fetches the source page of an embed now, at most once every 10 s for an embed, and waits up to 5 s for the result. After that, the response has what is known, and the page continues to load.',
      handle: async ({ run, id }) =>
        pageReply((await run(RefreshPageDocument, { input: { embedId: id } })).refreshPage.embed),
    },
  },
};

function pageReply({ page }: { readonly page: PagePartsFragment }): Reply {
  return json({ page: withRestNames({ ...page, state: spellValue(page.state) }) });
}
