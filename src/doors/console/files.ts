import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Reply, reply } from '../../http/reply.ts';
import { createRepresentation } from '../../http/representation.ts';

/** What `npm ci` built of `client/`. */
const BUILT = new URL('../../generated/console/', import.meta.url);

/** Their names carry a hash of what is in them: what has one never changes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** A built file as it is served. */
export type BuiltFile = (request: Request) => Reply | Promise<Reply>;

export function readPage(): Promise<string> {
  return readFile(new URL('index.html', BUILT), 'utf8');
}

/** The scripts, styles and fonts that the page names, by the ends of their paths. */
export async function readParts(): Promise<ReadonlyMap<string, BuiltFile>> {
  const folder = new URL('console/', BUILT);
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, servedFile(name, await readFile(new URL(name, folder)))] as const),
    ),
  );
}

/** Text is served in the coding that the browser wants; fonts are compressed in themselves. */
function servedFile(name: string, bytes: Buffer<ArrayBuffer>): BuiltFile {
  const textType = TEXT_TYPES[extname(name)];
  if (textType) {
    const text = createRepresentation(bytes.toString(), { 'content-type': textType, 'cache-control': CACHE_CONTROL });
    return (request) => text.reply(request);
  }
  return () => reply(bytes, { headers: { 'content-type': 'font/woff2', 'cache-control': CACHE_CONTROL } });
}
