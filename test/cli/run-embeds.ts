import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { isOnPostgresql, temporaryFolder } from '../open-app.ts';
import { run } from '../process/run.ts';
import { runInProcess } from './run-in-process.ts';

/** Starts the command in a child process. */
export function begin(databaseUrl: string, args: readonly string[], input = '') {
  const command = run('src/main.ts', ['embeds', ...args], { DATABASE_URL: databaseUrl });
  // some commands end before they have read all of the input
  command.child.stdin?.on('error', () => {}).end(input);
  return command;
}

/** Runs the command in a child process. */
export async function runEmbedsInChild(databaseUrl: string, args: readonly string[], input?: string) {
  const command = begin(databaseUrl, args, input);
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Runs the command while this process has an open app. On SQLite that needs a child process. */
export function runEmbedsWithOpenApp(databaseUrl: string, args: readonly string[]) {
  return isOnPostgresql ? embeds(databaseUrl, args) : runEmbedsInChild(databaseUrl, args);
}

/** Runs the command in this process, which must not have the database open. */
export function embeds(databaseUrl: string, args: readonly string[], input?: string) {
  return runInProcess('embeds', args, { DATABASE_URL: databaseUrl }, input);
}

export async function pagesIn(databaseUrl: string, account = 'ada'): Promise<string[]> {
  const { createList, close } = await openDatabase(databaseUrl);
  const all = { size: 10_000, fromEnd: true, after: undefined, before: undefined };
  const list = createList(account, null);
  const page = await list.findPage(all);
  expect((await list.count()).count).toBe(page.embeds.length);
  await close();
  return page.embeds.map(({ pageUrl }) => pageUrl).toReversed();
}

export async function hasAccount(databaseUrl: string, account: string): Promise<boolean> {
  const { tokens, close } = await openDatabase(databaseUrl);
  const has = await tokens.hasAccount(account);
  await close();
  return has;
}

export function fileOf(text: string | Buffer, name = 'rows.csv'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** Returns a CSV with numbered pages, so that a test sees lost, repeated and reordered rows. */
export const csvOf = (rows: number) => `page_url\n${pagesOf(rows).join('\n')}\n`;
export const pagesOf = (rows: number) => Array.from({ length: rows }, (_, i) => `https://example.com/page-${i + 1}`);
