import { DEFAULT_SETTINGS } from '../../../domain/embed/fields.ts';
import { type EmbedHost, embedUrlOf } from '../../../domain/embed/url.ts';
import { toRest } from '../../../generated/rest-embed.ts';
import { toRestPage } from '../pages.ts';

export const EXAMPLE_ID = '01m7y4dcyp2ad36zr4waqryvpr';
export const EXAMPLE_PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
export const EXAMPLE_PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';

export const EXAMPLE_DRAFT = { page_url: EXAMPLE_PAGE_URL, mode: 'dark', font: 'Inter' };
export const EXAMPLE_PATCH = { mode: 'user_defined' };

export const EXAMPLE_TOKEN_ID = '4kZ9vQ2mT1aB';
export const EXAMPLE_TOKEN_DRAFT = { name: 'ci', scopes: ['read', 'write'], expires_at: '2036-01-31T12:00:00.000Z' };
const EXAMPLE_TOKEN = {
  id: EXAMPLE_TOKEN_ID,
  ...EXAMPLE_TOKEN_DRAFT,
  created_at: '2026-11-21T04:04:14.422Z',
  revoked_at: null,
  last_used_at: null,
};
const EXAMPLE_EVENT = {
  id: '01m7y4de3wq8n1v5k2t7r9xcpb',
  at: '2026-11-21T04:04:15.612Z',
  action: 'token_created',
  actor: 'ACCESS_TOKEN',
  actor_token_id: 'ACCESS_TOKEN',
  subject_id: EXAMPLE_TOKEN_ID,
  subject_name: 'ci',
  count: 1,
};
/** Only the form of a token: its checksum is wrong, so that no scanner reports it. */
export const EXAMPLE_SECRET = `emb_${'x'.repeat(49)}`;

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
    listTokens: {
      tokens: [EXAMPLE_TOKEN],
      total_count: 1,
      pagination: { end_cursor: EXAMPLE_TOKEN_ID, has_next_page: false, total_count: 1 },
    },
    createToken: { token: EXAMPLE_TOKEN, secret: EXAMPLE_SECRET },
    listAuditEvents: {
      events: [EXAMPLE_EVENT],
      total_count: 1,
      pagination: { end_cursor: EXAMPLE_EVENT.id, has_next_page: false, total_count: 1 },
    },
    revokeToken: { token: { ...EXAMPLE_TOKEN, revoked_at: '2026-11-22T09:30:00.000Z' } },
  };
}

export type OperationId = keyof ReturnType<typeof exampleResponses>;
