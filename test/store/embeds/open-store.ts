import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { newDatabase, openRaw } from '../../databases/database.ts';

/** Opens a new database with the accounts of Ada and Bob, and a raw connection to it. */
export async function openStore() {
  const url = await newDatabase();
  const database = await openDatabase(url, { durability: 'fast' });
  onTestFinished(() => database.close());
  for (const name of ['ada', 'bob']) await database.tokens.ensureAccount(name, new Date());
  return { ...database, url, raw: await openRaw(url) };
}
