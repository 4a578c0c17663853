import { PAGE_STATES, type PageState } from '#reader/page-state';
import { PAGE_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { PageOutline } from '../../../domain/page-copy.ts';
import { builder } from '../builder.ts';

export const PageStateType = builder.enumType('PageState', {
  description: 'What the gateway knows about a source page.',
  values: Object.fromEntries(
    Object.entries(PAGE_STATES).map(([state, description]) => [state, { description }]),
  ) as Record<PageState, { description: string }>,
});

export const PageType = builder.objectRef<PageOutline>('Page').implement({
  description: PAGE_DESCRIPTIONS.object,
  fields: (t) => ({
    state: t.expose('state', {
      type: PageStateType,
      description: 'Whether the embed shows a copy of the page, or why it shows a card.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: PAGE_DESCRIPTIONS.reason,
    }),
    title: t.exposeString('title', { nullable: true, description: PAGE_DESCRIPTIONS.title }),
    siteName: t.exposeString('siteName', {
      nullable: true,
      description: PAGE_DESCRIPTIONS.siteName,
    }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: PAGE_DESCRIPTIONS.url,
    }),
    movedTo: t.expose('movedTo', { type: 'URL', nullable: true, description: PAGE_DESCRIPTIONS.movedTo }),
    fetchedAt: t.expose('fetchedAt', {
      type: 'DateTime',
      nullable: true,
      description: PAGE_DESCRIPTIONS.fetchedAt,
    }),
  }),
});
