import { type EmbedHost, embedUrlOf } from '../../../domain/embed/url.ts';
import type { RestEmbed } from '../embeds.ts';

export const EXAMPLE_ID = '01m7y4dcyp2ad36zr4waqryvpr';
export const EXAMPLE_PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
export const EXAMPLE_PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';

/** What a create takes, and the embed that it makes. */
export const EXAMPLE_DRAFT = { page_url: EXAMPLE_PAGE_URL, mode: 'dark', font: 'Inter' };
/** What an update of the same embed takes. */
export const EXAMPLE_PATCH = { mode: 'user_defined' };

/** The answers to the examples, as this service gives them but for the id and the time. */
export function exampleAnswers(host: EmbedHost) {
  const embed: RestEmbed = {
    id: EXAMPLE_ID,
    created_at: '2026-11-21T04:04:14.422Z',
    embed_url: embedUrlOf({ id: EXAMPLE_ID, title: 'Meal Planner', pageId: EXAMPLE_PAGE_ID }, host),
    page_id: EXAMPLE_PAGE_ID,
    page_url: EXAMPLE_PAGE_URL,
    mode: 'dark',
    font: 'Inter',
    show_top_bar: true,
  };
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
  };
}

export type OperationId = keyof ReturnType<typeof exampleAnswers>;
