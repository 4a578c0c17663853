export { type CreateOptions, type CreateResult, EmbedGateway, type EmbedResult, type WriteOptions } from './client.ts';
export {
  ConflictError,
  EmbedGatewayError,
  type ErrorCode,
  InsufficientScopeError,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
} from './errors.ts';
export type {
  AuditEvent,
  AuditEventList,
  CreateEmbedBody,
  CreateTokenBody,
  Embed,
  EmbedList,
  ListAuditEventsParameters,
  ListEmbedsParameters,
  ListTokensParameters,
  Mode,
  NewToken,
  Page,
  Problem,
  Token,
  TokenList,
  UpdateEmbedBody,
} from './generated/rest.ts';
export type { GraphQLDocument } from './graphql-document.ts';
export type { ClientOptions, RequestOptions } from './transport.ts';
