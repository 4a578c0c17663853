import { TOKEN } from './service.ts';

/** The fields of an embed that a client sets. */
export interface Settings {
  readonly page_url: string;
  readonly mode: string;
  readonly font: string;
  readonly show_top_bar: boolean;
}

export interface ListedEmbed extends Settings {
  readonly id: string;
}

/** Result of a write. Without a response, the write may or may not have committed. */
export type Outcome =
  | { readonly kind: 'done'; readonly embed: ListedEmbed | null }
  | { readonly kind: 'rejected'; readonly status: number; readonly code: string }
  | { readonly kind: 'no response' };

/** A client of one of the two APIs. */
export interface Door {
  create(origin: string, settings: Settings, key: string | null): Promise<Outcome>;
  /** @param expected sends `If-Match` with its current version in REST; null sends no condition */
  update(origin: string, id: string, change: Partial<Settings>, expected: ListedEmbed | null): Promise<Outcome>;
  remove(origin: string, id: string): Promise<Outcome>;
  /** Reads all pages, and the total that the API returns. */
  list(origin: string): Promise<{ readonly embeds: readonly ListedEmbed[]; readonly total: number }>;
}

export const HEADERS = {
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  // a service that stops waits for idle connections, for most of the time that it has
  connection: 'close',
};
const PAGE_SIZE = 100;

async function send(url: string, init: RequestInit): Promise<{ status: number; headers: Headers; body: Body } | null> {
  try {
    const response = await fetch(url, { ...init, headers: { ...HEADERS, ...init.headers } });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
type Body = any;

const keyHeader = (key: string | null): Record<string, string> => (key === null ? {} : { 'idempotency-key': key });

async function rest(url: string, init: RequestInit): Promise<Outcome> {
  const response = await send(url, init);
  if (!response) return { kind: 'no response' };
  const { status, body } = response;
  if (status >= 400) return { kind: 'rejected', status, code: body.code };
  return { kind: 'done', embed: body.embed ? settingsOf(body.embed) : null };
}

export const REST: Door = {
  create: (origin, settings, key) =>
    rest(`${origin}/v1/embeds`, { method: 'POST', body: JSON.stringify(settings), headers: keyHeader(key) }),

  async update(origin, id, change, expected) {
    const url = `${origin}/v1/embeds/${id}`;
    const headers: Record<string, string> = {};
    if (expected) {
      const current = await send(url, {});
      if (!current) return { kind: 'no response' };
      if (current.status >= 400) return { kind: 'rejected', status: current.status, code: current.body.code };
      headers['if-match'] = current.headers.get('etag') ?? '';
    }
    return rest(url, { method: 'PATCH', body: JSON.stringify(change), headers });
  },

  remove: (origin, id) => rest(`${origin}/v1/embeds/${id}`, { method: 'DELETE' }),

  async list(origin) {
    const embeds: ListedEmbed[] = [];
    for (let url = `${origin}/v1/embeds?first=${PAGE_SIZE}`; ; ) {
      const response = await send(url, {});
      if (response?.status !== 200)
        throw new Error(`the list returned status ${response?.status}: ${JSON.stringify(response?.body)}`);
      embeds.push(...response.body.embeds.map(settingsOf));
      const { has_next_page, end_cursor } = response.body.pagination;
      if (!has_next_page) return { embeds, total: response.body.total_count };
      url = `${origin}/v1/embeds?first=${PAGE_SIZE}&after=${end_cursor}`;
    }
  },
};

const FIELDS = 'id pageUrl mode font showTopBar';

async function graphql(origin: string, query: string, variables: object, key: string | null = null): Promise<Outcome> {
  const response = await send(`${origin}/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query, variables }),
    headers: keyHeader(key),
  });
  if (!response) return { kind: 'no response' };
  const { errors, data } = response.body;
  if (errors) return { kind: 'rejected', status: response.status, code: errors[0].extensions?.code };
  const { embed } = data.createEmbed ?? data.updateEmbed ?? data.deleteEmbed;
  return { kind: 'done', embed: embed ? fromGraphQL(embed) : null };
}

function toGraphQL({ page_url, mode, font, show_top_bar }: Partial<Settings>) {
  return {
    ...(page_url && { pageUrl: page_url }),
    ...(mode && { mode: mode.toUpperCase() }),
    ...(font && { font }),
    ...(show_top_bar !== undefined && { showTopBar: show_top_bar }),
  };
}

export const GRAPHQL: Door = {
  create: (origin, settings, key) =>
    graphql(
      origin,
      `mutation ($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { ${FIELDS} } } }`,
      { input: toGraphQL(settings) },
      key,
    ),
  update: (origin, id, change) =>
    graphql(origin, `mutation ($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { ${FIELDS} } } }`, {
      input: { id, ...toGraphQL(change) },
    }),
  remove: (origin, id) =>
    graphql(origin, 'mutation ($input: DeleteEmbedInput!) { deleteEmbed(input: $input) { embed: deletedEmbedId } }', {
      input: { id },
    }),
  async list(origin) {
    const embeds: ListedEmbed[] = [];
    for (let after: string | null = null; ; ) {
      const query = `query ($after: String) { embeds(first: ${PAGE_SIZE}, after: $after) {
        nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } totalCount } }`;
      const response = await send(`${origin}/graphql`, {
        method: 'POST',
        body: JSON.stringify({ query, variables: { after } }),
      });
      if (response?.status !== 200 || response.body.errors)
        throw new Error(`the list returned status ${response?.status}: ${JSON.stringify(response?.body)}`);
      const { nodes, pageInfo, totalCount } = response.body.data.embeds;
      embeds.push(...nodes.map(fromGraphQL));
      if (!pageInfo.hasNextPage) return { embeds, total: totalCount };
      after = pageInfo.endCursor;
    }
  },
};

function settingsOf({ id, page_url, mode, font, show_top_bar }: ListedEmbed): ListedEmbed {
  return { id, page_url, mode, font, show_top_bar };
}

export function fromGraphQL(embed: Body): ListedEmbed {
  const { id, pageUrl, mode, font, showTopBar } = embed;
  return { id, page_url: pageUrl, mode: mode?.toLowerCase(), font, show_top_bar: showTopBar };
}
