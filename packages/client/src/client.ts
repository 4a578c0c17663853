import {
  type AuditEvent,
  type Change,
  type CreateEmbedBody,
  type CreateTokenBody,
  type CreateWebhookBody,
  type Embed,
  type ListAuditEventsParameters,
  type ListChangesParameters,
  type ListDeliveriesParameters,
  type ListEmbedsParameters,
  type ListTokensParameters,
  type ListWebhooksParameters,
  type Results,
  type RetrieveAccountViewsParameters,
  type RetrieveViewsParameters,
  ROUTES,
  type Token,
  type UpdateAccountBody,
  type UpdateEmbedBody,
  type UpdateSettingsBody,
  type UpdateWebhookBody,
} from './generated/rest.ts';
import type { GraphQLDocument } from './graphql-document.ts';
import { follow } from './subscription.ts';
import { type ClientOptions, createTransport, type RequestOptions, type Transport } from './transport.ts';

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

/** The settings of an embed, and their tag for `ifMatch`. */
export type SettingsResult = Results['retrieveSettings'] & { readonly etag: string };

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
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = createTransport(options);
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

  /** Returns what is set for an embed itself. Its `etag` is for `ifMatch` of `updateSettings`. */
  async retrieveSettings(id: string, options: RequestOptions = {}): Promise<SettingsResult> {
    return withEtag(await this.#call('retrieveSettings', { ...options, id }));
  }

  /** Changes the given settings of an embed, and keeps the others. Null removes one. */
  async updateSettings(
    id: string,
    body: UpdateSettingsBody,
    { signal, ifMatch }: WriteOptions = {},
  ): Promise<SettingsResult> {
    return withEtag(await this.#call('updateSettings', { signal, id, body, headers: { 'if-match': ifMatch } }));
  }

  /** Returns the account of the token, with the settings of all embeds that have none of their own. */
  async retrieveAccount(options: RequestOptions = {}): Promise<Results['retrieveAccount']> {
    return (await this.#call('retrieveAccount', options)).body;
  }

  /** Changes the given settings of the account, and keeps the others. Null removes one. */
  async updateAccount(body: UpdateAccountBody, options: RequestOptions = {}): Promise<Results['updateAccount']> {
    return (await this.#call('updateAccount', { ...options, body })).body;
  }

  /** Returns what is known about the source page of an embed. Fetches nothing. */
  async retrievePage(id: string, options: RequestOptions = {}): Promise<Results['retrievePage']> {
    return (await this.#call('retrievePage', { ...options, id })).body;
  }

  /** Returns the article that an embed shows. Throws `NotFoundError` if the embed shows a card. Fetches nothing. */
  async retrieveArticle(id: string, options: RequestOptions = {}): Promise<Results['retrieveArticle']> {
    return (await this.#call('retrieveArticle', { ...options, id })).body;
  }

  /** Fetches the source page of an embed now, at most once every 10 s, and waits up to 5 s for the result. */
  async refreshPage(id: string, options: RequestOptions = {}): Promise<Results['refreshPage']> {
    return (await this.#call('refreshPage', { ...options, id })).body;
  }

  /** Returns one page of the changes of the account's embeds, oldest first. `pagination.end_cursor` is never null. */
  async listChanges(
    parameters: ListChangesParameters = {},
    options: RequestOptions = {},
  ): Promise<Results['listChanges']> {
    return (await this.#call('listChanges', { ...options, query: parameters })).body;
  }

  /** Iterates over the changes after the cursor `after` that there are now. Keep the `cursor` of the last one for the next call. */
  async *changes(parameters: ListChangesParameters = {}, options: RequestOptions = {}): AsyncGenerator<Change, void> {
    yield* items(
      parameters,
      (query) => this.listChanges(query, options),
      ({ changes }) => changes,
      options,
    );
  }

  /** Returns how often an embed was seen and read, by day or by site. */
  async retrieveViews(
    id: string,
    parameters: RetrieveViewsParameters,
    options: RequestOptions = {},
  ): Promise<Results['retrieveViews']> {
    return (await this.#call('retrieveViews', { ...options, id, query: parameters })).body;
  }

  /** Returns how often the embeds of the account were seen and read, by day or by site. */
  async retrieveAccountViews(
    parameters: RetrieveAccountViewsParameters,
    options: RequestOptions = {},
  ): Promise<Results['retrieveAccountViews']> {
    return (await this.#call('retrieveAccountViews', { ...options, query: parameters })).body;
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

  /** Returns one page of the account's webhooks, newest first. */
  async listWebhooks(
    parameters: ListWebhooksParameters = {},
    options: RequestOptions = {},
  ): Promise<Results['listWebhooks']> {
    return (await this.#call('listWebhooks', { ...options, query: parameters })).body;
  }

  /** Creates a webhook. Only this response and that of a rotation have a secret. */
  async createWebhook(body: CreateWebhookBody, options: RequestOptions = {}): Promise<Results['createWebhook']> {
    return (await this.#call('createWebhook', { ...options, body })).body;
  }

  /** Returns one webhook, without its secret. */
  async retrieveWebhook(id: string, options: RequestOptions = {}): Promise<Results['retrieveWebhook']> {
    return (await this.#call('retrieveWebhook', { ...options, id })).body;
  }

  /** Changes the given properties of a webhook, and keeps the others. */
  async updateWebhook(
    id: string,
    body: UpdateWebhookBody,
    options: RequestOptions = {},
  ): Promise<Results['updateWebhook']> {
    return (await this.#call('updateWebhook', { ...options, id, body })).body;
  }

  /** Deletes a webhook and its deliveries. */
  async deleteWebhook(id: string, options: RequestOptions = {}): Promise<Results['deleteWebhook']> {
    return (await this.#call('deleteWebhook', { ...options, id })).body;
  }

  /** Gives a webhook a new secret. For 24 hours, the one before signs too. */
  async rotateWebhookSecret(id: string, options: RequestOptions = {}): Promise<Results['rotateWebhookSecret']> {
    return (await this.#call('rotateWebhookSecret', { ...options, id })).body;
  }

  /** Sends an event of the type `webhook.test` once, and waits for the response of the receiver. */
  async testWebhook(id: string, options: RequestOptions = {}): Promise<Results['testWebhook']> {
    return (await this.#call('testWebhook', { ...options, id })).body;
  }

  /** Returns one page of the deliveries of a webhook, newest first. */
  async listDeliveries(
    id: string,
    parameters: ListDeliveriesParameters = {},
    options: RequestOptions = {},
  ): Promise<Results['listDeliveries']> {
    return (await this.#call('listDeliveries', { ...options, id, query: parameters })).body;
  }

  /** Sends an event again with the same `webhook-id`, and waits for the response of the receiver. */
  async redeliver(id: string, options: RequestOptions = {}): Promise<Results['redeliver']> {
    return (await this.#call('redeliver', { ...options, id })).body;
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
    const { body } = await this.#transport.send<{ readonly data: Result }>({
      method: 'POST',
      path: '/graphql',
      body: { query, variables },
      headers: { 'idempotency-key': idempotencyKey },
      isRepeatable: idempotencyKey !== undefined || !/\bmutation\b/.test(query),
      signal,
    });
    return body.data;
  }

  /**
   * Follows a subscription. Resolves once the service sends every later change, so read what you show after that. The iteration
   * goes on after lost connections without a gap; it throws `UnavailableError` if changes may have been missed.
   */
  async subscribe<Result, Variables>(
    document: GraphQLDocument<Result, Variables>,
    ...[variables, options = {}]: Record<never, never> extends Variables
      ? [variables?: Variables, options?: RequestOptions]
      : [variables: Variables, options?: RequestOptions]
  ): Promise<AsyncGenerator<Result, void>> {
    return follow<Result>(this.#transport.open, { query: document.toString(), variables }, options.signal);
  }

  #call<Name extends keyof Results>(name: Name, { id = '', query = {}, ...call }: Call) {
    const [method = '', path = ''] = ROUTES[name].split(' ');
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    return this.#transport.send<Results[Name]>({
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
