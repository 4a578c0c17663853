import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Reply, reply } from './reply.ts';
import { createRepresentation } from './representation.ts';

/** File names contain a hash of the content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export type ServeFile = (request: Request) => Reply | Promise<Reply>;

/** Reads the scripts, styles and fonts that a build wrote into a folder, by file name. */
export async function readAssets(folder: URL): Promise<ReadonlyMap<string, ServeFile>> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, createServeFile(name, await readFile(new URL(name, folder)))] as const),
    ),
  );
}

/** Compresses text; fonts are compressed already. */
function createServeFile(name: string, bytes: Buffer<ArrayBuffer>): ServeFile {
  const textType = TEXT_TYPES[extname(name)];
  if (textType) {
    const text = createRepresentation(bytes.toString(), { 'content-type': textType, 'cache-control': CACHE_CONTROL });
    return (request) => text.reply(request);
  }
  return () => reply(bytes, { headers: { 'content-type': 'font/woff2', 'cache-control': CACHE_CONTROL } });
}
