import { MAX_URL_LENGTH } from '#reader/page-url';
import { MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS } from './embed/listing.ts';
import { MAX_WORD_LENGTH, MAX_WORDS } from './embed/search-terms.ts';

// Descriptions that both APIs show, beside those of the fields of an embed. Names and enum values in backticks have GraphQL's
// spelling; REST's descriptions translate them.

const MAX_URL = MAX_URL_LENGTH.toLocaleString('en');

export const LIST_DESCRIPTIONS = {
  createdAfter: 'Only embeds created after this time.',
  createdBefore: 'Only embeds created before this time.',
  search: `Either words or one URL. Words: at most ${MAX_SEARCH_WORDS} words in at most ${MAX_SEARCH_LENGTH} characters, in any case and order. The page's title or URL must have a word that begins with each of them: handb finds handbook. Only the first ${MAX_WORDS} words of an embed and the first ${MAX_WORD_LENGTH} characters of a word are indexed; the page's id is not a word. URL: at most ${MAX_URL} characters; finds the embeds of that page, in any spelling of the URL. A URL with a page id finds all embeds with that id. Any other URL also finds the embeds that have all words of the URL, or its ${MAX_SEARCH_WORDS} longest if it has more.`,
  field: 'The value to order by.',
  direction: 'The direction: `DESC` is newest first.',
  totalCount:
    'The number of embeds of the account. For a filtered list, the number of matches, exact up to 1,000: if `totalCountIsExact` is false, treat it as a lower bound.',
  totalCountIsExact:
    'Whether `totalCount` is exact. It is without a filter, with one filter up to 1,000 matches, and with several filters if one of them alone has at most 1,000 matches.',
} as const;

export const PAGE_DESCRIPTIONS = {
  object: 'What is known about the source page of an embed. Reading it fetches nothing.',
  reason:
    'The reason for the state, as a sentence. Null for `PENDING`, and for `SHOWN` unless the last attempt to fetch the page failed.',
  title: 'The title of the page, if it has been read.',
  siteName: 'The name of the site, or else its host, if the page has been read.',
  url: 'The URL of the page after all redirects, if it has been read.',
  fetchedAt: 'The time when the site last sent the page, or confirmed that it had not changed.',
} as const;

export const TOKEN_DESCRIPTIONS = {
  object: 'An access token of the account, without its secret.',
  id: 'The id: 12 letters and digits. It is not secret.',
  name: 'The purpose of the token, as its creator named it.',
  scopes: 'What the token allows. No scope implies another one.',
  createdAt: 'The time at which the token was created.',
  expiresAt: 'The time at which the token stops working. Null if it never expires.',
  revokedAt: 'The time at which the token was revoked; null if it was not. It stops working within 5 s.',
  lastUsedAt: 'The time of the last use, to about a minute. Null if the token was never used.',
  secret: 'The text to send as `Authorization: Bearer <secret>`. It is stored nowhere and shown only here.',
  totalCount: 'The number of tokens of the account, including expired and revoked ones.',
} as const;

export const AUDIT_EVENT_DESCRIPTIONS = {
  object: 'A change in the account: who did what, and when.',
  id: 'The id: a lower-case ULID, ordered by time. It is the cursor too.',
  at: 'The time of the change.',
  actor:
    'Who did it: the name of a token, `ACCESS_TOKEN` of the operator, `command line`, or `first start` of the service.',
  actorTokenId: 'The id of the token that did it. Null for the command line and the first start.',
  subjectId: 'The id of the embed or token that it happened to. Null for an import.',
  subjectName: 'The name of the token, or the title of the updated embed.',
  count: 'The number of embeds, if the action is about several; else 1.',
  totalCount: 'The number of events that are listed.',
} as const;
