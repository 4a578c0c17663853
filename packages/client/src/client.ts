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
  type Pagination,
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
  listEmbeds(parameters: ListEmbedsParameters = {}, options: RequestOptions = {}) {
    return this.#call('listEmbeds', { ...options, query: parameters });
  }

  /** Iterates over all embeds of the account that match, newest first. Reads pages of 100 unless `first` says otherwise. */
  embeds(parameters: ListEmbedsParameters = {}, options: RequestOptions = {}): AsyncGenerator<Embed, void> {
    return this.#items('listEmbeds', parameters, options, ({ embeds }) => embeds);
  }

  /** Creates an embed of a public page. Repetitions never create a second one. */
  async createEmbed(body: CreateEmbedBody, options: CreateOptions = {}): Promise<CreateResult> {
    const { signal, idempotencyKey = randomKey() } = options;
    const headers = { 'idempotency-key': idempotencyKey };
    const reply = await this.#send('createEmbed', { signal, body, headers, isRepeatable: true });
    return { ...withEtag(reply), replayed: reply.headers.get('idempotent-replayed') === 'true' };
  }

  /** Returns an embed. */
  async retrieveEmbed(id: string, options: RequestOptions = {}): Promise<EmbedResult> {
    return withEtag(await this.#send('retrieveEmbed', { ...options, id }));
  }

  /** Changes the given settings of an embed, and keeps the others. */
  async updateEmbed(id: string, body: UpdateEmbedBody, { signal, ifMatch }: WriteOptions = {}): Promise<EmbedResult> {
    return withEtag(await this.#send('updateEmbed', { signal, id, body, headers: { 'if-match': ifMatch } }));
  }

  /** Deletes an embed permanently. */
  deleteEmbed(id: string, { signal, ifMatch }: WriteOptions = {}) {
    return this.#call('deleteEmbed', { signal, id, headers: { 'if-match': ifMatch } });
  }

  /** Returns what is set for an embed itself. Its `etag` is for `ifMatch` of `updateSettings`. */
  async retrieveSettings(id: string, options: RequestOptions = {}): Promise<SettingsResult> {
    return withEtag(await this.#send('retrieveSettings', { ...options, id }));
  }

  /** Changes the given settings of an embed, and keeps the others. Null removes one. */
  async updateSettings(
    id: string,
    body: UpdateSettingsBody,
    { signal, ifMatch }: WriteOptions = {},
  ): Promise<SettingsResult> {
    return withEtag(await this.#send('updateSettings', { signal, id, body, headers: { 'if-match': ifMatch } }));
  }

  /** Returns the account of the token, with the settings of all embeds that have none of their own. */
  retrieveAccount(options: RequestOptions = {}) {
    return this.#call('retrieveAccount', options);
  }

  /** Changes the given settings of the account, and keeps the others. Null removes one. */
  updateAccount(body: UpdateAccountBody, options: RequestOptions = {}) {
    return this.#call('updateAccount', { ...options, body });
  }

  /** Returns what is known about the source page of an embed. Fetches nothing. */
  retrievePage(id: string, options: RequestOptions = {}) {
    return this.#call('retrievePage', { ...options, id });
  }

  /** Returns the article that an embed shows. Throws `NotFoundError` if the embed shows a card. Fetches nothing. */
  retrieveArticle(id: string, options: RequestOptions = {}) {
    return this.#call('retrieveArticle', { ...options, id });
  }

  /** Fetches the source page of an embed now, at most once every 10 s, and waits up to 5 s for the result. */
  refreshPage(id: string, options: RequestOptions = {}) {
    return this.#call('refreshPage', { ...options, id });
  }

  /** Returns one page of the changes of the account's embeds, oldest first. `pagination.end_cursor` is never null. */
  listChanges(parameters: ListChangesParameters = {}, options: RequestOptions = {}) {
    return this.#call('listChanges', { ...options, query: parameters });
  }

  /** Iterates over the changes after the cursor `after` that there are now. Keep the `cursor` of the last one for the next call. */
  changes(parameters: ListChangesParameters = {}, options: RequestOptions = {}): AsyncGenerator<Change, void> {
    return this.#items('listChanges', parameters, options, ({ changes }) => changes);
  }

  /** Returns how often an embed was seen and read, by day or by site. */
  retrieveViews(id: string, parameters: RetrieveViewsParameters, options: RequestOptions = {}) {
    return this.#call('retrieveViews', { ...options, id, query: parameters });
  }

  /** Returns how often the embeds of the account were seen and read, by day or by site. */
  retrieveAccountViews(parameters: RetrieveAccountViewsParameters, options: RequestOptions = {}) {
    return this.#call('retrieveAccountViews', { ...options, query: parameters });
  }

  /** Returns one page of the account's tokens, newest first. */
  listTokens(parameters: ListTokensParameters = {}, options: RequestOptions = {}) {
    return this.#call('listTokens', { ...options, query: parameters });
  }

  /** Iterates over all tokens of the account, newest first. */
  tokens(parameters: ListTokensParameters = {}, options: RequestOptions = {}): AsyncGenerator<Token, void> {
    return this.#items('listTokens', parameters, options, ({ tokens }) => tokens);
  }

  /** Creates a token. Only this response has its secret, so a failed request is not repeated. */
  createToken(body: CreateTokenBody, options: RequestOptions = {}) {
    return this.#call('createToken', { ...options, body });
  }

  /** Revokes a token, which stops working within 5 s. */
  revokeToken(id: string, options: RequestOptions = {}) {
    return this.#call('revokeToken', { ...options, id, isRepeatable: true });
  }

  /** Returns one page of the changes in the account, newest first. */
  listAuditEvents(parameters: ListAuditEventsParameters = {}, options: RequestOptions = {}) {
    return this.#call('listAuditEvents', { ...options, query: parameters });
  }

  /** Iterates over all changes in the account that the service lists, newest first. */
  auditEvents(
    parameters: ListAuditEventsParameters = {},
    options: RequestOptions = {},
  ): AsyncGenerator<AuditEvent, void> {
    return this.#items('listAuditEvents', parameters, options, ({ events }) => events);
  }

  /** Returns one page of the account's webhooks, newest first. */
  listWebhooks(parameters: ListWebhooksParameters = {}, options: RequestOptions = {}) {
    return this.#call('listWebhooks', { ...options, query: parameters });
  }

  /** Creates a webhook. Only this response and that of a rotation have a secret. */
  createWebhook(body: CreateWebhookBody, options: RequestOptions = {}) {
    return this.#call('createWebhook', { ...options, body });
  }

  /** Returns one webhook, without its secret. */
  retrieveWebhook(id: string, options: RequestOptions = {}) {
    return this.#call('retrieveWebhook', { ...options, id });
  }

  /** Changes the given properties of a webhook, and keeps the others. */
  updateWebhook(id: string, body: UpdateWebhookBody, options: RequestOptions = {}) {
    return this.#call('updateWebhook', { ...options, id, body });
  }

  /** Deletes a webhook and its deliveries. */
  deleteWebhook(id: string, options: RequestOptions = {}) {
    return this.#call('deleteWebhook', { ...options, id });
  }

  /** Gives a webhook a new secret. For 24 hours, the one before signs too. */
  rotateWebhookSecret(id: string, options: RequestOptions = {}) {
    return this.#call('rotateWebhookSecret', { ...options, id });
  }

  /** Sends an event of the type `webhook.test` once, and waits for the response of the receiver. */
  testWebhook(id: string, options: RequestOptions = {}) {
    return this.#call('testWebhook', { ...options, id });
  }

  /** Returns one page of the deliveries of a webhook, newest first. */
  listDeliveries(id: string, parameters: ListDeliveriesParameters = {}, options: RequestOptions = {}) {
    return this.#call('listDeliveries', { ...options, id, query: parameters });
  }

  /** Sends an event again with the same `webhook-id`, and waits for the response of the receiver. */
  redeliver(id: string, options: RequestOptions = {}) {
    return this.#call('redeliver', { ...options, id });
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

  async #call<Name extends keyof Results>(name: Name, call: Call) {
    return (await this.#send(name, call)).body;
  }

  #send<Name extends keyof Results>(name: Name, { id = '', query = {}, ...call }: Call) {
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

  /** Iterates over the items of all pages. Also stops within a page. */
  async *#items<Name extends ListName, Item>(
    name: Name,
    parameters: ListTokensParameters,
    options: RequestOptions,
    itemsOf: (page: Results[Name]) => readonly Item[],
  ): AsyncGenerator<Item, void> {
    const size = parameters.limit === undefined ? { first: PAGE_SIZE } : {};
    let after: string | null | undefined = parameters.after;
    while (after !== null) {
      const page: Results[Name] = await this.#call(name, { ...options, query: { ...size, ...parameters, after } });
      for (const item of itemsOf(page)) {
        options.signal?.throwIfAborted();
        yield item;
      }
      const next: Pick<Pagination, 'has_next_page' | 'end_cursor'> = page.pagination;
      after = next.has_next_page ? next.end_cursor : null;
    }
  }
}

/** The operations that return one page of a list, which an iteration reads to its end. */
type ListName = 'listEmbeds' | 'listChanges' | 'listTokens' | 'listAuditEvents';

function withEtag<Body>({ body, headers }: { readonly body: Body; readonly headers: Headers }) {
  return { ...body, etag: headers.get('etag') ?? '' };
}

/** Creates a key of 128 random bits. Unlike `randomUUID`, its source also exists on pages without HTTPS. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint8Array(16)).join('-');
}
