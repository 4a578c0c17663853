import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  printSchema,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import * as operations from '../../src/generated/operations.ts';
import { schema } from '../../src/graphql/schema/schema.ts';

const committed = readFileSync('src/graphql/schema.graphql', 'utf8');

/** The public contract: all types with their fields and arguments. */
const CONTRACT = `
type Query {
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  embed(id: ID!): Embed
  embeds(
    first: Int, after: String, last: Int, before: String, filter: EmbedFilter, orderBy: EmbedOrder
  ): EmbedConnection!
  tokens(first: Int, after: String): TokenConnection!
  checkEmbeds(inputs: [CreateEmbedInput!]!): [EmbedCheck!]!
  auditEvents(first: Int, after: String): AuditEventConnection!
  viewer: Viewer!
  webhooks(first: Int, after: String): WebhookConnection!
  changes(first: Int, after: String): ChangeConnection!
}
type ChangeConnection { pageInfo: PageInfo! edges: [ChangeEdge!]! nodes: [EmbedChanged!]! }
type ChangeEdge { node: EmbedChanged! cursor: String! }
type Mutation {
  createEmbed(input: CreateEmbedInput!): CreateEmbedPayload!
  updateEmbed(input: UpdateEmbedInput!): UpdateEmbedPayload!
  deleteEmbed(input: DeleteEmbedInput!): DeleteEmbedPayload!
  updateEmbeds(input: UpdateEmbedsInput!): UpdateEmbedsPayload!
  deleteEmbeds(input: DeleteEmbedsInput!): DeleteEmbedsPayload!
  refreshPage(input: RefreshPageInput!): RefreshPagePayload!
  createToken(input: CreateTokenInput!): CreateTokenPayload!
  revokeToken(input: RevokeTokenInput!): RevokeTokenPayload!
  updateAccount(input: UpdateAccountInput!): UpdateAccountPayload!
  createWebhook(input: CreateWebhookInput!): CreateWebhookPayload!
  updateWebhook(input: UpdateWebhookInput!): UpdateWebhookPayload!
  deleteWebhook(input: DeleteWebhookInput!): DeleteWebhookPayload!
  rotateWebhookSecret(input: RotateWebhookSecretInput!): RotateWebhookSecretPayload!
  testWebhook(input: TestWebhookInput!): TestWebhookPayload!
  redeliver(input: RedeliverInput!): RedeliverPayload!
}
type Webhook implements Node {
  id: ID!  url: URL!  events: [WebhookEvent!]!  createdAt: DateTime!  disabledAt: DateTime  disabledReason: String
  failingSince: DateTime  deliveries(first: Int, after: String): DeliveryConnection!
}
enum WebhookEvent {
  EMBED_CREATED EMBED_UPDATED EMBED_DELETED PAGE_CHANGED PAGE_STATE_CHANGED TOKEN_CREATED TOKEN_REVOKED
}
type WebhookConnection { edges: [WebhookEdge!]!  nodes: [Webhook!]!  pageInfo: PageInfo!  totalCount: Int! }
type WebhookEdge { node: Webhook! cursor: String! }
type Delivery {
  id: ID!  type: String!  state: DeliveryState!  createdAt: DateTime!  dueAt: DateTime  attempts: Int!
  attemptedAt: DateTime  deliveredAt: DateTime  status: Int  response: String
}
enum DeliveryState { WAITING DELIVERED FAILED }
type DeliveryConnection { edges: [DeliveryEdge!]!  nodes: [Delivery!]!  pageInfo: PageInfo!  totalCount: Int! }
type DeliveryEdge { node: Delivery! cursor: String! }
input CreateWebhookInput { url: URL! events: [WebhookEvent!]! }
input UpdateWebhookInput { id: ID! url: URL events: [WebhookEvent!] enabled: Boolean }
input DeleteWebhookInput { id: ID! }
input RotateWebhookSecretInput { id: ID! }
input TestWebhookInput { id: ID! }
input RedeliverInput { id: ID! }
type CreateWebhookPayload { webhook: Webhook! secret: String! }
type UpdateWebhookPayload { webhook: Webhook! }
type DeleteWebhookPayload { deletedWebhookId: ID! message: String! }
type RotateWebhookSecretPayload { webhook: Webhook! secret: String! }
type TestWebhookPayload { delivery: Delivery! }
type RedeliverPayload { delivery: Delivery! }
type Subscription {
  embedChanged: EmbedChanged!
}
type EmbedChanged { kind: EmbedChangeKind! embedId: ID! at: DateTime! embed: Embed }
enum EmbedChangeKind { CREATED UPDATED DELETED }
interface Node { id: ID! }
type Embed implements Node {
  id: ID!  createdAt: DateTime!  embedUrl: URL!  html: String!  pageId: UUID!  pageUrl: URL!
  mode: EmbedMode!  font: String!  showTopBar: Boolean!  title: String!  version: Int!  updatedAt: DateTime!  externalId: String  page: Page!
  allowedSites: [String!]  expiresAt: DateTime  watch: EmbedWatch  look: Look
  views(from: Date!, to: Date!, by: ViewGrouping! = DAY): ViewStatistics!
}
type Look { accentColor: String  width: LookWidth  baseSize: Int  radius: Int  logoUrl: URL  branding: Boolean }
input LookInput { accentColor: String  width: LookWidth  baseSize: Int  radius: Int  logoUrl: URL  branding: Boolean }
type Account {
  id: String!  allowedSites: [String!]  look: Look
  views(from: Date!, to: Date!, by: ViewGrouping! = DAY): ViewStatistics!
}
scalar Date
enum ViewGrouping { DAY SITE }
type ViewStatistics { views: Int! reads: Int! groups: [ViewGroup!]! }
type ViewGroup { key: String! views: Int! reads: Int! }
input UpdateAccountInput { allowedSites: [String!]  look: LookInput }
type UpdateAccountPayload { account: Account! }
scalar LookWidth
type Page { state: PageState!  reason: String  title: String  siteName: String  url: URL  movedTo: URL  fetchedAt: DateTime  article: Article  versions(first: Int after: String): PageVersionConnection! }
type PageVersionConnection { edges: [PageVersionEdge!]!  nodes: [PageVersion!]!  pageInfo: PageInfo! }
type PageVersionEdge { cursor: String!  node: PageVersion! }
type PageVersion { fetchedAt: DateTime!  text: String!  changes: [TextChange!]! }
type TextChange { kind: TextChangeKind!  text: String! }
enum TextChangeKind { ADDED REMOVED }
type Article {
  html: String!  markdown: String!  text: String!  headings: [Heading!]!  byline: String  publishedAt: DateTime
  modifiedAt: DateTime  language: String  wordCount: Int!  pictures: [Picture!]!  part(anchor: String!): Article
}
type Heading { level: Int!  text: String!  anchor: String! }
type Picture { url: URL!  alt: String!  caption: String  width: Int  height: Int }
enum PageState {
  PENDING SHOWN NO_ARTICLE NEEDS_BROWSER FORBIDDEN GONE NOT_A_PAGE TOO_LARGE UNREACHABLE NOT_ALLOWED
}
enum EmbedMode { LIGHT DARK AUTO USER_DEFINED }
enum EmbedWatch { OFF DAILY HOURLY ADAPTIVE }
type Token implements Node {
  id: ID!  name: String!  scopes: [Scope!]!  createdAt: DateTime!  expiresAt: DateTime  revokedAt: DateTime  lastUsedAt: DateTime
}
enum Scope { READ WRITE ADMIN }
type TokenConnection { edges: [TokenEdge!]!  nodes: [Token!]!  pageInfo: PageInfo!  totalCount: Int! }
type Viewer { accountId: ID! tokenName: String person: Person scopes: [Scope!]! account: Account! }
type Person { subject: String! name: String! accounts: [String!]! }
type TokenEdge { node: Token! cursor: String! }
input CreateTokenInput { name: String! scopes: [Scope!]! expiresAt: DateTime }
input RevokeTokenInput { id: ID! }
type CreateTokenPayload { token: Token! secret: String! }
type RevokeTokenPayload { token: Token! }
enum AuditAction {
  EMBEDS_CREATED EMBEDS_IMPORTED EMBED_UPDATED EMBED_DELETED EMBEDS_UPDATED EMBEDS_DELETED ACCOUNT_UPDATED TOKEN_CREATED TOKEN_REVOKED
  WEBHOOK_CREATED WEBHOOK_UPDATED WEBHOOK_DELETED WEBHOOK_SECRET_ROTATED
}
type EmbedCheck { faults: [InputFault!]! }
type InputFault { path: String!  message: String! }
type AuditChange { field: String!  before: String  after: String }
type AuditEvent {
  id: ID!  at: DateTime!  action: AuditAction!  actor: String!  actorTokenId: ID  subjectId: ID  subjectName: String  count: Int!
  changes: [AuditChange!]
}
type AuditEventEdge { node: AuditEvent! cursor: String! }
type AuditEventConnection { pageInfo: PageInfo! edges: [AuditEventEdge!]! nodes: [AuditEvent!]! totalCount: Int! }
type EmbedConnection {
  edges: [EmbedEdge!]!  nodes: [Embed!]!  pageInfo: PageInfo!  totalCount: Int!  totalCountIsExact: Boolean!
}
input EmbedFilter {
  pageId: UUID  pageUrl: URL  mode: EmbedMode  font: String  createdAfter: DateTime  createdBefore: DateTime  search: String
  externalId: String  updatedAfter: DateTime  pageState: [PageState!]  needsAttention: Boolean
}
input EmbedOrder { field: EmbedOrderField!  direction: OrderDirection! }
enum EmbedOrderField { CREATED_AT }
enum OrderDirection { ASC DESC }
type EmbedEdge { node: Embed! cursor: String! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type CreateEmbedPayload { embed: Embed! embedEdge: EmbedEdge! replayed: Boolean! created: Boolean! warnings: [String!]! }
type UpdateEmbedPayload { embed: Embed! warnings: [String!]! }
type UpdateEmbedsPayload { embeds: [Embed!]! previous: [Embed!]! pageInfo: PageInfo! }
type DeleteEmbedsPayload { deletedEmbedIds: [ID!]! pageInfo: PageInfo! }
type DeleteEmbedPayload { deletedEmbedId: ID! message: String! }
type RefreshPagePayload { embed: Embed! }
enum ConflictRule { ERROR RETURN UPDATE }
input CreateEmbedInput {
  pageUrl: URL! mode: EmbedMode! = LIGHT font: String! = "default" showTopBar: Boolean! = true
  externalId: String onConflict: ConflictRule! = ERROR
  allowedSites: [String!] expiresAt: DateTime watch: EmbedWatch look: LookInput
}
input UpdateEmbedInput {
  id: ID! expectedVersion: Int pageUrl: URL pageId: UUID mode: EmbedMode font: String showTopBar: Boolean
  allowedSites: [String!] expiresAt: DateTime watch: EmbedWatch look: LookInput
}
input DeleteEmbedInput { id: ID! expectedVersion: Int }
input UpdateEmbedsInput { ids: [ID!] filter: EmbedFilter after: String pageUrl: URL mode: EmbedMode font: String showTopBar: Boolean expected: ExpectedEmbedValues undo: Boolean }
input ExpectedEmbedValues { pageUrl: URL mode: EmbedMode font: String showTopBar: Boolean }
input DeleteEmbedsInput { ids: [ID!] filter: EmbedFilter after: String }
input RefreshPageInput { embedId: ID! }
scalar DateTime
scalar URL
scalar UUID
`;

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

test('the committed SDL is printed from the schema', () => {
  expect(committed).toBe(`${printSchema(schema)}\n`);
});

test('the schema has exactly the types of the contract', () => {
  const shapes = (list: readonly GraphQLNamedType[]) =>
    Object.fromEntries(list.map((type) => [type.name, shapeOf(type)]));
  const expected = Object.values(buildSchema(CONTRACT).getTypeMap());
  expect(shapes(types)).toEqual(
    shapes(expected.filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))),
  );
});

test('every type, field, argument and value has a description of at least 12 characters', () => {
  const undescribed: string[] = [];
  const check = (path: string, described: { description?: string | null | undefined }) => {
    if ((described.description ?? '').length < 12) undescribed.push(path);
  };
  for (const type of types) {
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) check(`${type.name}.${field.name}`, field);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const argument of field.args) check(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  expect(undescribed).toEqual([]);
});

test('the operations of the REST door are valid', () => {
  const documents = Object.values(operations).filter((each) => each.definitions[0]?.kind === Kind.OPERATION_DEFINITION);
  expect(documents.length).toBeGreaterThanOrEqual(6);
  for (const document of documents) expect(validate(schema, document)).toEqual([]);
});

function shapeOf(type: GraphQLNamedType): unknown {
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, [String(field.type), field.defaultValue]]),
    );
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return 'scalar';
  const fields = Object.values(type.getFields()).map((field) => {
    const args = Object.fromEntries(field.args.map((argument) => [argument.name, String(argument.type)]));
    return [field.name, { type: String(field.type), args }];
  });
  return { fields: Object.fromEntries(fields), interfaces: type.getInterfaces().map(String) };
}
