import { onTestFinished } from 'vitest';
import { newDatabase } from '../../databases/database.ts';
import { openProxy } from '../../databases/proxy.ts';

/** Creates a database that cannot be reached after `stop`, until `start`. */
export async function openProxiedDatabase() {
  const url = new URL(await newDatabase());
  const proxy = await openProxy(Number(url.port || 5_432));
  onTestFinished(() => proxy.stop());
  url.port = String(proxy.port);
  return { databaseUrl: url.href, stop: proxy.stop, start: proxy.start };
}
