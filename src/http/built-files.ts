import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Awaitable, loadOnce } from '../awaitable.ts';
import { Refusal } from '../errors.ts';
import { createPublicRoute, type IncomingRequest, type Route } from './exchange.ts';
import { type Reply, reply } from './reply.ts';
import { createRepresentation } from './representation.ts';

/** File names contain a hash of the content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

type ServeFile = (request: IncomingRequest) => Awaitable<Reply>;

/** Creates the route of the scripts, styles and fonts that a build wrote into a folder. They are read at the first request. */
export function createAssetRoute(path: string, folder: URL): Route {
  const getFiles = loadOnce(() => readFiles(folder));
  return createPublicRoute(`${path}<file>`, async ({ request, url }) => {
    const serve = (await getFiles()).get(url.pathname.slice(path.length));
    if (!serve) throw new Refusal('not_found', 'There is no file at this path.');
    return serve(request);
  });
}

async function readFiles(folder: URL): Promise<ReadonlyMap<string, ServeFile>> {
  const files = new Map<string, ServeFile>();
  // one at a time, because each open file takes a descriptor
  for (const name of await readdir(folder)) {
    files.set(name, createServeFile(name, await readFile(new URL(name, folder))));
  }
  return files;
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
