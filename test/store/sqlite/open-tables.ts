import { readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { newDatabase } from '../../open-app.ts';
import { embedOf } from '../embeds/embed-of.ts';

export const HASH = 'a'.repeat(64);
export const ID = '01arz3ndektsv4rrffq69g5fav';
export const DELIVERY = '0123456789abcdef'.repeat(2);
export const PAGE_ID = '95747105-f402-490e-ba51-d52e00496c1c';
const WEBHOOK_ID = `wh_${ID}`;
export const TIME = '2026-01-31T12:00:00.000+00:00';
const { accountId: _, createdAt: __, version: ___, ...KEPT } = embedOf('ada', { id: ID });
/** The kept create of an embed, as JSON. */
export const kept = (changes: object) => JSON.stringify({ embed: { ...KEPT, ...changes }, isComplete: true });

let whole: Promise<Buffer> | undefined;

/** Writes a database with a row in each table. */
async function writeTables(): Promise<Buffer> {
  const url = await newDatabase();
  const database = await openDatabase(url);
  await database.tokens.ensureAccount('ada', new Date());
  await database.embeds.insert(embedOf('ada', { id: ID }));
  await database.close();
  const raw = new BetterSqlite3(url.slice('file:'.length));
  raw.pragma('wal_checkpoint(TRUNCATE)');
  raw.exec(`
    INSERT INTO Token (id, accountId, name, hash, scope, createdAt) VALUES ('0Aa1Bb2Cc3Dd', 'ada', 'ci', '${HASH}', 'read', '${TIME}');
    INSERT INTO Session (hash, accountId, holder, createdAt, expiresAt) VALUES ('${HASH}', 'ada', 'token 0Aa1', '${TIME}', '${TIME}');
    INSERT INTO IdempotentCreate VALUES ('ada', '0:key', '${HASH}', '${TIME}', '${TIME}', 0, '${kept({})}');
    INSERT INTO Import VALUES ('ada', '${HASH}', 2, 1, NULL);
    INSERT INTO AuditEvent (id, accountId, action, actor, count) VALUES ('${ID}', 'ada', 'TOKEN_CREATED', 'cli', 1);
    INSERT INTO Webhook (accountId, id, url, events, secret, createdAt)
      VALUES ('ada', '${WEBHOOK_ID}', 'https://example.com/', ' embed.created ', 'whsec_AA==', '${TIME}');
    INSERT INTO WebhookDelivery (accountId, id, webhookId, type, subjectId, sequence, data, createdAt)
      VALUES ('ada', '${DELIVERY}', '${WEBHOOK_ID}', 'embed.created', '${ID}', 1, '{}', '${TIME}');
    INSERT INTO ViewCount VALUES ('ada', '${ID}', '2026-01-31', 'direct', 2, 1);
    INSERT INTO Watch (accountId, embedId, pageUrl, watch, dueAt) VALUES ('ada', '${ID}', 'https://example.com/', 'DAILY', '${TIME}');
    INSERT INTO WatchedHost VALUES ('example.com', '${TIME}');
    INSERT INTO PageVersion VALUES ('https://example.com/', '${TIME}', 'i44FAA==', 8);
    INSERT INTO Page (pageUrl, freshUntil, bytes) VALUES ('https://example.com/', '${TIME}', 0)`);
  raw.pragma('journal_mode = DELETE');
  raw.close();
  return readFileSync(url.slice('file:'.length));
}

/** Opens a database in memory that has a row in each table. */
export async function openTables(): Promise<BetterSqlite3.Database> {
  whole ??= writeTables();
  const tables = new BetterSqlite3(await whole);
  onTestFinished(() => void tables.close());
  return tables;
}
