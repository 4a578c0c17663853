import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { newDatabase, openApp, openRaw } from '../../open-app.ts';

/** Sessions that listen for changes. */
export const LISTENERS = `FROM pg_stat_activity
  WHERE application_name = 'embed-gateway changes' AND datname = current_database()`;
/** All sessions of the database but that of the query. */
export const OTHER_SESSIONS = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** The events of an embed that is created with the font One, updated to Two and deleted. */
export function lifeOf(id: string) {
  return [
    { kind: 'CREATED', embedId: id, embed: { id, font: 'One' } },
    { kind: 'UPDATED', embedId: id, embed: { id, font: 'Two' } },
    { kind: 'DELETED', embedId: id, embed: null },
  ];
}

/** Opens an app and another process on one database. */
export async function openTwo() {
  const url = await newDatabase();
  const app = await openApp({ databaseUrl: url });
  const writer = await openDatabase(url);
  onTestFinished(() => writer.close());
  const ada = await app.as('ada');
  return { ...app, ada, writer, raw: await openRaw(url), databaseUrl: url };
}
