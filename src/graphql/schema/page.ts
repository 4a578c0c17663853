import { PAGE_STATES, type PageState } from '#reader/page-state';
import type { PageOutline } from '../../domain/page-copy.ts';
import { builder } from './builder.ts';

const PageStateType = builder.enumType('PageState', {
  description: 'What the gateway knows about a source page.',
  values: Object.fromEntries(
    Object.entries(PAGE_STATES).map(([state, description]) => [state, { description }]),
  ) as Record<PageState, { description: string }>,
});

export const PageType = builder.objectRef<PageOutline>('Page').implement({
  description: 'What is known about the source page of an embed. Reading it fetches nothing.',
  fields: (t) => ({
    state: t.expose('state', {
      type: PageStateType,
      description: 'Whether the embed shows a copy of the page, or why it shows a card.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'The reason for the state, as a sentence. Null for `PENDING`, and for `SHOWN` unless the last attempt to fetch the page failed.',
    }),
    title: t.exposeString('title', { nullable: true, description: 'The title of the page, if it has been read.' }),
    siteName: t.exposeString('siteName', {
      nullable: true,
      description: 'The name of the site, or else its host, if the page has been read.',
    }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'The URL of the page after all redirects, if it has been read.',
    }),
    fetchedAt: t.expose('fetchedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time when the site last sent the page, or confirmed that it had not changed.',
    }),
  }),
});
