import { DEFAULT_SETTINGS } from '../../../domain/embed/fields.ts';
import { type EmbedHost, embedUrlOf } from '../../../domain/embed/url.ts';
import { toRest } from '../../../generated/rest-embed.ts';
import { toRestPage } from '../pages.ts';

export const EXAMPLE_ID = '01m7y4dcyp2ad36zr4waqryvpr';
export const EXAMPLE_PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
export const EXAMPLE_PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';

export const EXAMPLE_DRAFT = { page_url: EXAMPLE_PAGE_URL, mode: 'dark', font: 'Inter' };
export const EXAMPLE_PATCH = { mode: 'user_defined' };

/** Creates the responses to the example requests. Only ids and times differ from those of the service. */
export function exampleResponses(host: EmbedHost) {
  const embed = toRest({
    ...DEFAULT_SETTINGS,
    id: EXAMPLE_ID,
    createdAt: '2026-11-21T04:04:14.422Z',
    embedUrl: embedUrlOf({ id: EXAMPLE_ID, title: 'Meal Planner', pageId: EXAMPLE_PAGE_ID }, host),
    pageId: EXAMPLE_PAGE_ID,
    pageUrl: EXAMPLE_PAGE_URL,
    mode: 'DARK',
    font: EXAMPLE_DRAFT.font,
  });
  const page = toRestPage({
    state: 'SHOWN',
    reason: null,
    title: 'Meal Planner',
    siteName: 'Example',
    url: EXAMPLE_PAGE_URL,
    fetchedAt: '2026-11-21T04:04:15.107Z',
  });
  return {
    listEmbeds: {
      embeds: [embed],
      total_count: 1,
      pagination: { end_cursor: EXAMPLE_ID, has_next_page: false, total_count: 1 },
    },
    createEmbed: { embed },
    retrieveEmbed: { embed },
    updateEmbed: { embed: { ...embed, ...EXAMPLE_PATCH } },
    deleteEmbed: { message: `The embed ${EXAMPLE_ID} was deleted successfully.` },
    retrievePage: { page },
    refreshPage: { page },
  };
}

export type OperationId = keyof ReturnType<typeof exampleResponses>;
