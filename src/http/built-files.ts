import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Awaitable } from '../awaitable.ts';
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

/** Creates the route of the scripts, styles and fonts that a build wrote into a folder. Each is read at its first request. */
export function createAssetRoute(path: string, folder: URL): Route {
  const files = new Map<string, ServeFile>();
  let names: readonly string[] | undefined;
  return createPublicRoute(`${path}<file>`, ({ request, url }) => {
    const name = url.pathname.slice(path.length);
    names ??= readdirSync(folder);
    if (!names.includes(name)) throw new Refusal('not_found', 'There is no file at this path.');
    const serve = files.get(name) ?? createServeFile(name, readFileSync(new URL(name, folder)));
    files.set(name, serve);
    return serve(request);
  });
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
