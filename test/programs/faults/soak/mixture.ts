import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Client, Received } from './client.ts';

interface KnownEmbed {
  readonly id: string;
  readonly host: string;
  readonly path: string;
  /** Paths of its pictures, once a view has shown them. */
  pictures: readonly string[];
}

interface Kind {
  readonly weight: number;
  /** Statuses other than 200 that are right: another client may have deleted the embed. */
  readonly statuses?: readonly number[];
  send(embed: KnownEmbed): Promise<Received>;
}

const OPERATION_NAMES = 5_000;
const MAX_EMBEDS = 3_000;
/** Embeds that exist before the first request is counted. */
const FIRST_EMBEDS = 20;
const PAGES = 1_500;
/** Pages that scripts build; the renderer shows about one a second. */
const SCRIPTED_PAGES = 60;
const CODINGS = ['br', 'gzip', 'identity'];
const FIELDS = ['mode', 'font', 'html', 'title', 'pageUrl', 'embedUrl', 'showTopBar', 'createdAt', 'version'];
const MODES = ['light', 'dark', 'auto'];

const one = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T;

/** Sends random requests of all kinds. */
export interface Mixture {
  /** Creates the embeds that the requests need. */
  prepare(): Promise<void>;
  /** Returns a fault if the status is wrong. */
  sendOne(): Promise<string | null>;
  embedCount(): number;
}

export function createMixture(client: Client, siteOrigin: string): Mixture {
  const embeds: KnownEmbed[] = [];

  const graphql = (query: string, variables: object = {}, operationName?: string) =>
    client.send({ path: '/graphql', body: { query, variables, operationName } });

  async function create(): Promise<Received> {
    const isScripted = randomInt(25) === 0;
    const number = randomInt(isScripted ? SCRIPTED_PAGES : PAGES);
    const pageId = number.toString(16).padStart(32, '0');
    const page_url = `${siteOrigin}${isScripted ? '/app' : ''}/Lentils-${pageId}`;
    const hasKey = randomInt(2) === 0;
    const headers: Record<string, string> = hasKey ? { 'idempotency-key': randomUUID() } : {};
    const created = await client.send({ path: '/v1/embeds', body: { page_url }, headers });
    if (created.status !== 201) return created;
    const { id, embed_url } = (JSON.parse(created.text) as { embed: { id: string; embed_url: string } }).embed;
    const { host, pathname } = new URL(embed_url);
    embeds.push({ id, host, path: pathname, pictures: [] });
    const isRepeated = hasKey && randomInt(4) === 0;
    return isRepeated ? client.send({ path: '/v1/embeds', body: { page_url }, headers }) : created;
  }

  function remove(embed: KnownEmbed): Promise<Received> {
    embeds.splice(embeds.indexOf(embed), 1);
    return client.send({ method: 'DELETE', path: `/v1/embeds/${embed.id}` });
  }

  async function view(embed: KnownEmbed): Promise<Received> {
    const coding = one(CODINGS);
    const page = await client.send({ path: embed.path, headers: { host: embed.host, 'accept-encoding': coding } });
    if (coding === 'identity') {
      embed.pictures = [...new Set([...page.text.matchAll(/\/image\/[\w.-]+/g)].map(([path]) => path))];
    }
    return page;
  }

  async function useNewToken(): Promise<Received> {
    const created = await client.send({ path: '/v1/tokens', body: { name: 'soak', scopes: ['read', 'write'] } });
    if (created.status !== 201) return created;
    const { token, secret } = JSON.parse(created.text) as { token: { id: string }; secret: string };
    const read = await client.send({
      path: `/v1/embeds?first=${1 + randomInt(20)}`,
      headers: { authorization: `Bearer ${secret}` },
    });
    if (read.status !== 200) return read;
    return client.send({ method: 'DELETE', path: `/v1/tokens/${token.id}` });
  }

  function namedOperation({ id }: KnownEmbed): Promise<Received> {
    const number = randomInt(OPERATION_NAMES);
    const fields = FIELDS.filter((_, i) => (number >> i) & 1).join(' ');
    return graphql(
      `query Operation${number}($id: ID!) { embed(id: $id) { id ${fields} } }`,
      { id },
      `Operation${number}`,
    );
  }

  function persistedDocument({ id }: KnownEmbed): Promise<Received> {
    const query = `query Persisted${randomInt(OPERATION_NAMES)}($id: ID!) { embed(id: $id) { id mode } }`;
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    return client.send({ path: '/graphql', body: { query, variables: { id }, extensions } });
  }

  function distinctDocument({ id }: KnownEmbed): Promise<Received> {
    const count = 1 + randomInt(60);
    const aliases = Array.from({ length: 6 }, (_, i) => `a${i}: embed(id: "${id}") { id ${FIELDS.join(' ')} }`);
    return graphql(
      `# ${randomUUID()}\n{ embeds(first: ${count}) { nodes { id ${FIELDS.join(' ')} } } ${aliases.join(' ')} }`,
    );
  }

  const updateEmbed =
    'mutation ($input: UpdateEmbedInput!) { updateEmbed(input: $input) { embed { id mode version } } }';
  const gone = { statuses: [404] };
  const kinds: readonly Kind[] = [
    { weight: 22, ...gone, send: view },
    {
      weight: 5,
      statuses: [404],
      send: (embed) =>
        embed.pictures.length === 0
          ? view(embed)
          : client.send({ path: one(embed.pictures), headers: { host: embed.host } }),
    },
    { weight: 14, ...gone, send: ({ id }) => client.send({ path: `/v1/embeds/${id}` }) },
    { weight: 5, send: () => client.send({ path: `/v1/embeds?first=${1 + randomInt(20)}` }) },
    {
      weight: 4,
      send: () => client.send({ path: `/v1/embeds?mode=${one(MODES)}&search=lentils&first=${1 + randomInt(20)}` }),
    },
    { weight: 15, send: namedOperation },
    { weight: 3, send: persistedDocument },
    { weight: 4, send: distinctDocument },
    {
      weight: 8,
      send: () =>
        graphql('query ($n: Int) { embeds(first: $n) { nodes { id title } totalCount } }', { n: 1 + randomInt(20) }),
    },
    {
      weight: 5,
      ...gone,
      send: ({ id }) => client.send({ method: 'PATCH', path: `/v1/embeds/${id}`, body: { mode: one(MODES) } }),
    },
    { weight: 3, send: ({ id }) => graphql(updateEmbed, { input: { id, mode: one(MODES).toUpperCase() } }) },
    { weight: 6, statuses: [201, 404], send: (embed) => (embeds.length < MAX_EMBEDS ? create() : remove(embed)) },
    // too soon after the last one, or too many fetches
    {
      weight: 1,
      statuses: [404, 429, 503],
      send: ({ id }) => client.send({ method: 'POST', path: `/v1/embeds/${id}/refresh` }),
    },
    { weight: 1, ...gone, send: ({ id }) => client.send({ path: `/v1/embeds/${id}/page` }) },
    {
      weight: 1,
      ...gone,
      send: ({ host, path }) => client.send({ path: `/oembed?url=${encodeURIComponent(`http://${host}${path}`)}` }),
    },
    { weight: 1, statuses: [201, 204], send: useNewToken },
    {
      weight: 1,
      statuses: [401],
      send: () =>
        client.send({
          path: '/v1/embeds',
          headers: { authorization: `Bearer emb_${randomBytes(32).toString('base64url')}` },
        }),
    },
    { weight: 1, send: () => client.send({ path: '/v1/audit?first=20' }) },
  ];
  const totalWeight = kinds.reduce((sum, { weight }) => sum + weight, 0);

  function chooseKind(): Kind {
    let rest = randomInt(totalWeight);
    const chosen = kinds.find(({ weight }) => {
      rest -= weight;
      return rest < 0;
    });
    return chosen as Kind;
  }

  return {
    async prepare() {
      for (let i = 0; i < FIRST_EMBEDS; i++) await create();
    },
    async sendOne() {
      const { send, statuses = [] } = chooseKind();
      const { status, text } = await send(one(embeds));
      return status === 200 || statuses.includes(status) ? null : `${status}: ${text.slice(0, 200)}`;
    },
    embedCount: () => embeds.length,
  };
}
