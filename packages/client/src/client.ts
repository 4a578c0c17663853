import {
  type AuditEvent,
  type CreateEmbedBody,
  type CreateTokenBody,
  type Embed,
  type ListAuditEventsParameters,
  type ListEmbedsParameters,
  type ListTokensParameters,
  type Results,
  ROUTES,
  type Token,
  type UpdateEmbedBody,
} from './generated/rest.ts';
import type { GraphQLDocument } from './graphql-document.ts';
import { type ClientOptions, createSend, type RequestOptions, type Send } from './transport.ts';

export interface CreateOptions extends RequestOptions {
  /** A value that names the create for 24 hours: a repetition returns the first embed. By default a random one. */
  readonly idempotencyKey?: string | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** The `etag` of the embed as you have read it. If the embed has changed, the write throws `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}

/** An embed, its tag for `ifMatch`, and the warnings of a create or an update. */
export type EmbedResult = Results['retrieveEmbed'] & { readonly etag: string };

/** A new embed. `replayed`: an earlier request with the same key had created it. */
export type CreateResult = EmbedResult & { readonly replayed: boolean };

interface Call extends RequestOptions {
  readonly id?: string;
  readonly query?: object;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly isRepeatable?: boolean;
}

/** The largest page that the service returns, for the fewest requests. */
const PAGE_SIZE = 100;

/** Each operation of REST has a method of the same name. */
type Operations = Record<keyof Results, (...parameters: never) => Promise<unknown>>;

/** A client of an Embed Gateway. All methods throw `EmbedGatewayError`, or the reason of the signal that stopped them. */
export class EmbedGateway implements Operations {
  readonly #send: Send;

  constructor(options: ClientOptions) {
    this.#send = createSend(options);
  }

  /** Returns one page of the account's embeds, newest first. */
  async listEmbeds(
    parameters: ListEmbedsParameters = {},
    options: RequestOptions = {},
  ): Promise<Results['listEmbeds']> {
    return (await this.#call('listEmbeds', { ...options, query: parameters })).body;
  }

  /** Iterates over all embeds of the account that match, newest first. Reads pages of 100 unless `first` says otherwise. */
  async *embeds(parameters: ListEmbedsParameters = {}, options: RequestOptions = {}): AsyncGenerator<Embed, void> {
    yield* items(
      parameters,
      (query) => this.listEmbeds(query, options),
      ({ embeds }) => embeds,
      options,
    );
  }

  /** Creates an embed of a public page. Repetitions never create a second one. */
  async createEmbed(body: CreateEmbedBody, options: CreateOptions = {}): Promise<CreateResult> {
    const { signal, idempotencyKey = randomKey() } = options;
    const headers = { 'idempotency-key': idempotencyKey };
    const reply = await this.#call('createEmbed', { signal, body, headers, isRepeatable: true });
    return { ...withEtag(reply), replayed: reply.headers.get('idempotent-replayed') === 'true' };
  }

  /** Returns an embed. */
  async retrieveEmbed(id: string, options: RequestOptions = {}): Promise<EmbedResult> {
    return withEtag(await this.#call('retrieveEmbed', { ...options, id }));
  }

  /** Changes the given settings of an embed, and keeps the others. */
  async updateEmbed(id: string, body: UpdateEmbedBody, { signal, ifMatch }: WriteOptions = {}): Promise<EmbedResult> {
    return withEtag(await this.#call('updateEmbed', { signal, id, body, headers: { 'if-match': ifMatch } }));
  }

  /** Deletes an embed permanently. */
  async deleteEmbed(id: string, { signal, ifMatch }: WriteOptions = {}): Promise<Results['deleteEmbed']> {
    return (await this.#call('deleteEmbed', { signal, id, headers: { 'if-match': ifMatch } })).body;
  }

  /** Returns what is known about the source page of an embed. Fetches nothing. */
  async retrievePage(id: string, options: RequestOptions = {}): Promise<Results['retrievePage']> {
    return (await this.#call('retrievePage', { ...options, id })).body;
  }

  /** Fetches the source page of an embed now, at most once every 10 s, and waits up to 5 s for the result. */
  async refreshPage(id: string, options: RequestOptions = {}): Promise<Results['refreshPage']> {
    return (await this.#call('refreshPage', { ...options, id })).body;
  }

  /** Returns one page of the account's tokens, newest first. */
  async listTokens(
    parameters: ListTokensParameters = {},
    options: RequestOptions = {},
  ): Promise<Results['listTokens']> {
    return (await this.#call('listTokens', { ...options, query: parameters })).body;
  }

  /** Iterates over all tokens of the account, newest first. */
  async *tokens(parameters: ListTokensParameters = {}, options: RequestOptions = {}): AsyncGenerator<Token, void> {
    yield* items(
      parameters,
      (query) => this.listTokens(query, options),
      ({ tokens }) => tokens,
      options,
    );
  }

  /** Creates a token. Only this response has its secret, so a failed request is not repeated. */
  async createToken(body: CreateTokenBody, options: RequestOptions = {}): Promise<Results['createToken']> {
    return (await this.#call('createToken', { ...options, body })).body;
  }

  /** Revokes a token, which stops working within 5 s. */
  async revokeToken(id: string, options: RequestOptions = {}): Promise<Results['revokeToken']> {
    return (await this.#call('revokeToken', { ...options, id, isRepeatable: true })).body;
  }

  /** Returns one page of the changes in the account, newest first. */
  async listAuditEvents(
    parameters: ListAuditEventsParameters = {},
    options: RequestOptions = {},
  ): Promise<Results['listAuditEvents']> {
    return (await this.#call('listAuditEvents', { ...options, query: parameters })).body;
  }

  /** Iterates over all changes in the account that the service lists, newest first. */
  async *auditEvents(
    parameters: ListAuditEventsParameters = {},
    options: RequestOptions = {},
  ): AsyncGenerator<AuditEvent, void> {
    yield* items(
      parameters,
      (query) => this.listAuditEvents(query, options),
      ({ events }) => events,
      options,
    );
  }

  /**
   * Runs a GraphQL document. Queries are repeated if they fail; mutations only with an `idempotencyKey`, which only
   * `createEmbed` accepts. Throws the first error of the response.
   */
  async graphql<Result, Variables>(
    document: GraphQLDocument<Result, Variables>,
    ...[variables, { signal, idempotencyKey } = {}]: Record<never, never> extends Variables
      ? [variables?: Variables, options?: CreateOptions]
      : [variables: Variables, options?: CreateOptions]
  ): Promise<Result> {
    const query = document.toString();
    const { body } = await this.#send<{ readonly data: Result }>({
      method: 'POST',
      path: '/graphql',
      body: { query, variables },
      headers: { 'idempotency-key': idempotencyKey },
      isRepeatable: idempotencyKey !== undefined || !/\bmutation\b/.test(query),
      signal,
    });
    return body.data;
  }

  #call<Name extends keyof Results>(name: Name, { id = '', query = {}, ...call }: Call) {
    const [method = '', path = ''] = ROUTES[name].split(' ');
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    return this.#send<Results[Name]>({
      isRepeatable: method === 'GET',
      ...call,
      method,
      path: path.replace('{id}', encodeURIComponent(id)) + search,
    });
  }
}

interface ListPage {
  readonly pagination: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}

/** Iterates over the items of all pages. Also stops within a page. */
async function* items<Parameters extends ListTokensParameters, Page extends ListPage, Item>(
  parameters: Parameters,
  list: (parameters: Parameters) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  { signal }: RequestOptions,
): AsyncGenerator<Item, void> {
  const size = parameters.limit === undefined ? { first: PAGE_SIZE } : {};
  let after: string | null | undefined = parameters.after;
  while (after !== null) {
    const page: Page = await list({ ...size, ...parameters, after });
    for (const item of itemsOf(page)) {
      signal?.throwIfAborted();
      yield item;
    }
    const { has_next_page: hasNextPage, end_cursor: endCursor } = page.pagination;
    after = hasNextPage ? endCursor : null;
  }
}

function withEtag<Body>({ body, headers }: { readonly body: Body; readonly headers: Headers }) {
  return { ...body, etag: headers.get('etag') ?? '' };
}

/** Creates a key of 128 random bits. Unlike `randomUUID`, its source also exists on pages without HTTPS. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).join('-');
}
