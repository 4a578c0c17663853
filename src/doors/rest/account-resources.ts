import { ACCOUNT_PARAMETERS } from '../../domain/embed/input.ts';
import { AUDIT_LIST_PARAMETERS } from '../../domain/identity/audit-event.ts';
import { NEW_TOKEN_PARAMETERS, parseNewTokenValues, TOKEN_LIST_PARAMETERS } from '../../domain/identity/token-input.ts';
import { parseViewRange, VIEW_PARAMETERS } from '../../domain/views.ts';
import { listAuditEvents } from './audit.ts';
import type { ResourceSpecs } from './resource.ts';
import { retrieveAccount, updateAccount } from './settings.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { retrieveAccountViews } from './views.ts';

/** The account, its tokens and audit events. All but reading the account need the scope `admin`. */
export const ACCOUNT_RESOURCES: ResourceSpecs = {
  '/v1/account': {
    GET: {
      scope: 'read',
      handle: retrieveAccount,
      success: { description: 'The account.', body: 'AccountAnswer' },
      id: 'retrieveAccount',
      summary: 'Retrieve the account',
      description: 'Returns the account of the token, with the settings of all embeds that have none of their own.',
    },
    PATCH: {
      parameters: ACCOUNT_PARAMETERS.rest,
      scope: 'admin',
      handle: updateAccount,
      success: { description: 'The updated account.', body: 'AccountAnswer' },
      id: 'updateAccount',
      summary: 'Update the account',
      description:
        'Changes the given settings of the account and keeps the others; null, which only a body in JSON can express, removes one. All embeds without settings of their own show the change within 5 s.',
    },
  },
  '/v1/account/views': {
    GET: {
      parameters: VIEW_PARAMETERS.rest,
      validate: (sent, policy) => ({ ...parseViewRange(sent, policy, 'rest') }),
      scope: 'read',
      handle: retrieveAccountViews,
      success: { description: 'The views.', body: 'ViewsAnswer', texts: ['text/csv'] },
      id: 'retrieveAccountViews',
      summary: 'Retrieve the views of all embeds',
      description:
        'Returns how often the embeds of the account were seen and read, by day or by site, also those that were deleted since. With `Accept: text/csv`, the response is CSV.',
    },
  },
  '/v1/tokens': {
    GET: {
      parameters: TOKEN_LIST_PARAMETERS.rest,
      scope: 'admin',
      handle: listTokens,
      success: { description: 'A page of tokens.', body: 'TokenList' },
      id: 'listTokens',
      summary: 'List tokens',
      description:
        'The tokens of the account, newest first, including expired and revoked ones. `ACCESS_TOKEN` of the operator is not in the list. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header.',
    },
    POST: {
      parameters: NEW_TOKEN_PARAMETERS.rest,
      validate: (sent, policy, now) => ({ ...parseNewTokenValues(sent, policy, now, 'rest') }),
      scope: 'admin',
      handle: createToken,
      success: { status: 201, description: 'The new token and its secret.', body: 'NewToken' },
      id: 'createToken',
      summary: 'Create a token',
      description:
        'Creates a token of the account. `secret` is the text to send as a bearer token. It is stored nowhere and shown only in this response. Scopes that the calling token does not have are rejected with 403. An `Idempotency-Key` is rejected with 422.',
    },
  },
  '/v1/tokens/{id}': {
    DELETE: {
      scope: 'admin',
      handle: revokeToken,
      success: { description: 'The revoked token.', body: 'TokenAnswer' },
      id: 'revokeToken',
      summary: 'Revoke a token',
      description:
        'Revokes a token of the account, which stops working within 5 s. Revoking it again changes nothing. A valid token with the scope `admin` is rejected with 409 if the account has no other one that is valid for 24 hours more.',
    },
  },
  '/v1/audit': {
    GET: {
      parameters: AUDIT_LIST_PARAMETERS.rest,
      scope: 'admin',
      handle: listAuditEvents,
      success: { description: 'A page of audit events.', body: 'AuditEventList' },
      id: 'listAuditEvents',
      summary: 'List audit events',
      description:
        'The changes in the account, newest first: who did what, and when. Lists those of the last 90 days, and about 10,000 at most. After a crash, those of its last second can be missing. While `pagination.has_next_page` is true, repeat the request with `after` set to `pagination.end_cursor`, or follow the `Link` header.',
    },
  },
};
