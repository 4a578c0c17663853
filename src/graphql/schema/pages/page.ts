import { PAGE_STATES } from '#reader/page-state';
import { PAGE_DESCRIPTIONS } from '../../../domain/descriptions.ts';
import type { PageOutline } from '../../../domain/page-copy.ts';
import { builder } from '../builder.ts';
import { defineEnum, shownFields } from '../fields.ts';

export const PageStateType = defineEnum('PageState', 'What the gateway knows about a source page.', PAGE_STATES);

export const PageType = builder.objectRef<PageOutline>('Page').implement({
  description: PAGE_DESCRIPTIONS.object,
  fields: (t) => ({
    state: t.expose('state', {
      type: PageStateType,
      description: 'Whether the embed shows a copy of the page, or why it shows a card.',
    }),
    ...shownFields(t, PAGE_DESCRIPTIONS, {
      reason: 'String?',
      title: 'String?',
      siteName: 'String?',
      url: 'URL?',
      movedTo: 'URL?',
      fetchedAt: 'DateTime?',
    }),
  }),
});
