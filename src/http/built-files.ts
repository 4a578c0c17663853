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

/**
 * Creates the route of the scripts, styles and fonts that a build wrote into a folder. All are read at the first request, so that
 * they are of one build: an upgrade replaces the files before the service restarts. Waiting for each file would take turns of the
 * event loop, which are long under load.
 */
export function createAssetRoute(path: string, folder: URL): Route {
  let files: ReadonlyMap<string, ServeFile> | undefined;
  return createPublicRoute(`${path}<file>`, ({ request, url }) => {
    files ??= readFiles(folder);
    const serve = files.get(url.pathname.slice(path.length));
    if (!serve) throw new Refusal('not_found', 'There is no file at this path.');
    return serve(request);
  });
}

function readFiles(folder: URL): ReadonlyMap<string, ServeFile> {
  const names = readdirSync(folder);
  return new Map(names.map((name) => [name, createServeFile(name, readFileSync(new URL(name, folder)))]));
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
