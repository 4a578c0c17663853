import { TOKEN } from './service.ts';

/** What a client decides of an embed. */
export interface Settings {
  readonly page_url: string;
  readonly mode: string;
  readonly font: string;
  readonly show_top_bar: boolean;
}

export interface Seen extends Settings {
  readonly id: string;
}

/** What a write came to. No answer at all says nothing: it may have been made. */
export type Outcome =
  | { readonly kind: 'done'; readonly embed: Seen | null }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'no answer' };

/** One of the two APIs, as a client of it would use it. */
export interface Door {
  create(origin: string, settings: Settings, key: string | null): Promise<Outcome>;
  /** @param from what the client holds, for a check of the version; null for none */
  update(origin: string, id: string, change: Partial<Settings>, from: Seen | null): Promise<Outcome>;
  remove(origin: string, id: string): Promise<Outcome>;
  /** All embeds, page by page, and the total that the API states. */
  list(origin: string): Promise<{ readonly embeds: readonly Seen[]; readonly total: number }>;
}

const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
const PAGE_SIZE = 100;

async function send(url: string, init: RequestInit): Promise<{ status: number; headers: Headers; body: Body } | null> {
  try {
    const response = await fetch(url, { ...init, headers: { ...HEADERS, ...init.headers } });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Body = any;

const keyHeader = (key: string | null): Record<string, string> => (key === null ? {} : { 'idempotency-key': key });

async function rest(url: string, init: RequestInit): Promise<Outcome> {
  const answer = await send(url, init);
  if (!answer) return { kind: 'no answer' };
  const { status, body } = answer;
  if (status >= 400) return { kind: 'refused', status, code: body.code };
  return { kind: 'done', embed: body.embed ? settingsOf(body.embed) : null };
}

export const REST: Door = {
  create: (origin, settings, key) =>
    rest(`${origin}/v1/embeds`, { method: 'POST', body: JSON.stringify(settings), headers: keyHeader(key) }),

  async update(origin, id, change, from) {
    const url = `${origin}/v1/embeds/${id}`;
    const headers: Record<string, string> = {};
    if (from) {
      const held = await send(url, {});
      if (!held) return { kind: 'no answer' };
      if (held.status >= 400) return { kind: 'refused', status: held.status, code: held.body.code };
      headers['if-match'] = held.headers.get('etag') ?? '';
    }
    return rest(url, { method: 'PATCH', body: JSON.stringify(change), headers });
  },

  remove: (origin, id) => rest(`${origin}/v1/embeds/${id}`, { method: 'DELETE' }),

  async list(origin) {
    const embeds: Seen[] = [];
    for (let url = `${origin}/v1/embeds?first=${PAGE_SIZE}`; ; ) {
      const answer = await send(url, {});
      if (answer?.status !== 200) throw new Error(`the list answered ${answer?.status}`);
      embeds.push(...answer.body.embeds.map(settingsOf));
      const { has_next_page, end_cursor } = answer.body.pagination;
      if (!has_next_page) return { embeds, total: answer.body.total_count };
      url = `${origin}/v1/embeds?first=${PAGE_SIZE}&after=${end_cursor}`;
    }
  },
};

const FIELDS = 'id pageUrl mode font showTopBar';

async function graphql(origin: string, query: string, variables: object, key: string | null = null): Promise<Outcome> {
  const answer = await send(`${origin}/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query, variables }),
    headers: keyHeader(key),
  });
  if (!answer) return { kind: 'no answer' };
  const { errors, data } = answer.body;
  if (errors) return { kind: 'refused', status: answer.status, code: errors[0].extensions?.code };
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
    const embeds: Seen[] = [];
    for (let after: string | null = null; ; ) {
      const query = `query ($after: String) { embeds(first: ${PAGE_SIZE}, after: $after) {
        nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } totalCount } }`;
      const answer = await send(`${origin}/graphql`, {
        method: 'POST',
        body: JSON.stringify({ query, variables: { after } }),
      });
      if (answer?.status !== 200 || answer.body.errors) throw new Error(`the list answered ${answer?.status}`);
      const { nodes, pageInfo, totalCount } = answer.body.data.embeds;
      embeds.push(...nodes.map(fromGraphQL));
      if (!pageInfo.hasNextPage) return { embeds, total: totalCount };
      after = pageInfo.endCursor;
    }
  },
};

function settingsOf({ id, page_url, mode, font, show_top_bar }: Seen): Seen {
  return { id, page_url, mode, font, show_top_bar };
}

function fromGraphQL(embed: Body): Seen {
  const { id, pageUrl, mode, font, showTopBar } = embed;
  return { id, page_url: pageUrl, mode: mode?.toLowerCase(), font, show_top_bar: showTopBar };
}
