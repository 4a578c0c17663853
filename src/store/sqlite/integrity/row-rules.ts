import type BetterSqlite3 from 'better-sqlite3';
import { isPageState } from '#reader/page-state';
import { checkPageUrl, type PagePolicy, parsePageId } from '#reader/page-url';
import type { Embed } from '../../../domain/embed/embed.ts';
import { ALL_FIELDS, FIELDS, type NamedField } from '../../../domain/embed/fields.ts';
import { isEmbedId } from '../../../domain/embed/id.ts';
import { CHANGE_KINDS } from '../../../domain/embed-change.ts';
import { isName } from '../../../domain/identity/account.ts';
import { isAuditAction } from '../../../domain/identity/audit-event.ts';
import { SCOPES } from '../../../domain/identity/token.ts';
import { isObject } from '../../../domain/json.ts';
import { WATCHES } from '../../../domain/watch.ts';
import { DELIVERY_ID, isWebhookId } from '../../../domain/webhook.ts';
import { NO_TERMS_YET } from '../../embeds/sql.ts';
import { MIGRATIONS_TABLE } from '../../prisma/migrations.ts';
import { SQLITE } from '../sql.ts';

type Row = Readonly<Record<string, unknown>>;
type Rule = (value: unknown, row: Row) => boolean;

const text = (isValid: (text: string) => boolean): Rule => {
  return (value) => typeof value === 'string' && value.isWellFormed() && isValid(value);
};
const matching = (pattern: RegExp) => text((value) => pattern.test(value));

const someText = text((value) => value !== '');
const webhookSecret = matching(/^whsec_[A-Za-z0-9+/]+=*$/);
const digest = matching(/^[0-9a-f]{64}$/);
const count: Rule = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const flag: Rule = (value) => value === 0 || value === 1;
const instant = text((value) => /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(value) && isTime(value));
const webUrl = text((value) => /^https?:\/\//i.test(value) && URL.canParse(value));
const oneLine = matching(/^\P{Cc}+$/u);
const scope = text((value) => value.split(' ').every((name) => (SCOPES as readonly string[]).includes(name)));

const id = text(isEmbedId);
/** The database does not contain the setting, so both kinds of pages are valid. */
const ANY_PAGE: PagePolicy = { allowPrivatePages: true };
const pageUrl = text((value) => checkPageUrl(value, ANY_PAGE) === null);
const pageState = text(isPageState);
const pageId = text((value) => parsePageId(value) === value);

function ruleOfSetting({ type, values, check, forced }: NamedField): Rule {
  if (type === 'integer') return count;
  if (type !== 'boolean') return text((value) => (values ? Object.hasOwn(values, value) : !check?.(value, ANY_PAGE)));
  const isForced = (row: Row) => Object.entries(forced?.while ?? {}).some(([other, is]) => row[other] === is);
  return (value, row) => flag(value, row) && (!isForced(row) || value === Number(forced?.value));
}

const SETTINGS = ALL_FIELDS.filter((field) => field.default !== undefined);
const settingRules = Object.fromEntries(SETTINGS.map((field) => [field.name, ruleOfSetting(field)]));

const settings = json(isObject);

const TYPE_RULES: Readonly<Record<string, Rule>> = {
  DATETIME: instant,
  BOOLEAN: flag,
  INTEGER: count,
  BIGINT: count,
  TEXT: text(() => true),
};

/** Rules that replace those of the types of columns. All of them accept null in columns that can be null. */
const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  _prisma_migrations: { checksum: digest },
  Account: { id: text(isName), settings },
  Token: { id: matching(/^[\w-]{1,64}$/), name: text(isName), hash: digest, scope },
  Session: { hash: digest, accountId: text(isName), holder: someText, tokenHash: digest, person: json(isObject) },
  Embed: {
    id,
    pageUrl,
    pageId,
    title: oneLine,
    ...settingRules,
    version: (value) => count(value, {}) && value !== 0,
    externalId: text((value) => FIELDS.externalId.check(value) === null),
    // not a safe integer after a migration of an earlier version
    position: (value) => Number.isInteger(value) && Number(value) >= 0,
    terms: text(isTerms),
    settings,
  },
  EmbedChange: {
    mark: (value) => value instanceof Uint8Array && value.length === 8,
    kind: text((value) => Object.hasOwn(CHANGE_KINDS, value)),
    embedId: id,
  },
  IdempotentCreate: {
    key: someText,
    fingerprint: digest,
    embed: json((stored) => isObject(stored) && isObject(stored.embed) && isStoredEmbed(stored.embed)),
  },
  Import: { content: digest, embeds: (value, row) => count(value, row) && Number(value) <= Number(row.rows) },
  AuditEvent: { id, action: text(isAuditAction), actor: someText, subjectId: someText, changes: json(Array.isArray) },
  Webhook: {
    id: text(isWebhookId),
    url: webUrl,
    events: text((value) => /^( [a-z]+\.[a-z_]+)+ $/.test(value)),
    secret: webhookSecret,
    previousSecret: webhookSecret,
  },
  WebhookDelivery: {
    id: matching(DELIVERY_ID),
    webhookId: text(isWebhookId),
    type: someText,
    subjectId: someText,
    data: json(isObject),
  },
  Watch: {
    embedId: id,
    pageUrl: webUrl,
    watch: text((value) => value !== 'OFF' && Object.hasOwn(WATCHES, value)),
  },
  WatchedHost: { host: someText },
  PageVersion: { pageUrl: webUrl, text: someText },
  Page: {
    pageUrl: webUrl,
    failure: pageState,
    url: webUrl,
    movedTo: webUrl,
    watchRefusal: someText,
    state: pageState,
    article: json((article) => isObject(article) && typeof article.title === 'string'),
  },
};

/** The columns that identify a row in a message; never a secret. The first one that a table has counts. */
const KEYS = ['migration_name', 'id', 'embedId', 'pageUrl', 'key', 'content', 'word', 'holder', 'host'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
}

/** Without the index for filters, whose tokens are compared with the embeds. */
const SELECT_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'EmbedIndex%'";

/** @returns a description of the first invalid row; null if there is none. Tables and columns of pending migrations may be missing. */
export function findRowFault(database: BetterSqlite3.Database, hasAllMigrations: boolean): string | null {
  for (const table of database.prepare<[], string>(SELECT_TABLES).pluck().all()) {
    const columns = database.pragma(`table_info("${table}")`) as Column[];
    const rules = RULES[table] ?? {};
    // commands of Prisma write times of another form
    const ofTypes: typeof TYPE_RULES = table === MIGRATIONS_TABLE ? {} : TYPE_RULES;
    const isValid = ({ name, type, notnull }: Column, row: Row) =>
      (row[name] === null && !notnull) || (rules[name] ?? ofTypes[type])?.(row[name], row) !== false;
    const key = KEYS.find((name) => columns.some((column) => column.name === name)) ?? '';
    for (const row of database.prepare<[], Row>(`SELECT * FROM "${table}"`).iterate()) {
      const broken = columns.find((column) => !isValid(column, row))?.name;
      const isOutdated = broken === undefined && table === 'Embed' && hasAllMigrations && hasOtherTerms(row);
      if (broken === undefined && !isOutdated) continue;
      return `the row ${JSON.stringify(String(row[key]).slice(0, 80))} of ${table} has an invalid ${broken ?? 'terms'}`;
    }
  }
  return null;
}

/** Compares the terms of ASCII texts only: those of other scripts depend on the version of Unicode. */
function hasOtherTerms(row: Row): boolean {
  const { title, pageUrl: url, terms } = row as Pick<Embed, 'title' | 'pageUrl'> & { readonly terms: string };
  if (terms === NO_TERMS_YET || !/^[\x20-\x7e]+$/.test(title + url) || /%|xn--/i.test(url)) return false;
  return terms !== SQLITE.serializeTerms({ title, pageUrl: url });
}

function isStoredEmbed(embed: Row): boolean {
  const rules: Readonly<Record<string, Rule>> = { id, pageUrl, pageId, title: oneLine };
  const isValid = Object.entries(rules).every(([field, rule]) => rule(embed[field], embed));
  // booleans are real ones in JSON, and a setting may be newer than the row
  const texts = SETTINGS.filter(({ name, type }) => type !== 'boolean' && name in embed);
  return isValid && texts.every(({ name }) => settingRules[name]?.(embed[name], embed));
}

/** Accepts also the JSON of versions before the migration `word_index`. */
function isTerms(value: string): boolean {
  const terms = value.startsWith('[') ? value.slice(2, -2).split('","') : value.split(' ').slice(1);
  return value !== '' && value !== '[]' && new Set(terms).size === terms.length;
}

function json(isValid: (value: unknown) => boolean): Rule {
  return text((value) => {
    try {
      return isValid(JSON.parse(value));
    } catch {
      return false;
    }
  });
}

function isTime(value: string): boolean {
  return !Number.isNaN(Date.parse(value));
}
