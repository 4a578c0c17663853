import { FRAME_PATHS } from '#frame';
import { sourceUrlOf } from '#reader/page-url';
import { isEmbedId } from '../../domain/embed/id.ts';
import { Refusal } from '../../errors.ts';
import { createPublicRoute, type IncomingRequest, type Route } from '../../http/exchange.ts';
import { type Reply, reply, withHeaders } from '../../http/reply.ts';
import { unlessKnown } from '../../http/representation.ts';
import { findEmbedId } from './embed-host.ts';
import type { EmbedPages, HostedServices } from './embed-page.ts';

interface Picture {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A hash of the bytes. */
  readonly digest: string;
}

export interface PictureSource {
  find(url: string, isCurrent: (fetchedAtMs: number) => boolean): Promise<Picture | null>;
}

/**
 * Nothing runs in a picture that is opened as a document, such as an SVG. Embeds in a sandbox without an origin are
 * cross-origin to their own pictures.
 */
const HEADERS = {
  'cache-control': 'public, max-age=3600',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * Creates the route of the pictures on the hosts of embeds. Only pictures that the page of the embed shows are fetched, so
 * the service is no open proxy. Faults of their sites are 404, because 5xx would look like faults of the service.
 */
export function createPictureRoute(pages: EmbedPages, source: PictureSource, services: HostedServices): Route {
  return createPublicRoute(`<id>.<EMBED_HOST>${FRAME_PATHS.pictures}<name>`, async ({ request, url }) => {
    const id = findEmbedId(url, services);
    const found = id === null ? null : await pages.find(id);
    const name = url.pathname.slice(FRAME_PATHS.pictures.length);
    const pictureUrl = found && (await pages.findPictureUrl(found, name));
    if (!pictureUrl) throw new Refusal('not_found', 'No embed at this host shows this picture.');
    const { embed } = found;
    const isCurrent = (fetchedAtMs: number) => !services.pages.wasRefreshedSince(embed.pageUrl, fetchedAtMs);
    const picture = await source.find(pictureUrl, isCurrent);
    if (!picture) throw new Refusal('not_found', 'The picture cannot be fetched from its site, or is not a picture.');
    return withHeaders(replyWith(request, picture), services.edgeHeaders.keysOf(embed));
  });
}

/** Folder of the icons of sites on the host of the API. Their names are the ids of embeds. */
export const ICON_FOLDER = '/icon/';

/** Creates the route of the icon of an embed's site, for lists of embeds. Only icons of stored pages are fetched. */
export function createIconRoute({ find }: EmbedPages, source: PictureSource, { pages }: HostedServices): Route {
  async function findIcon(id: string): Promise<Picture | null> {
    const pageUrl = isEmbedId(id) ? (await find(id))?.embed.pageUrl : undefined;
    // the icon of a part is that of its page
    const url = pageUrl === undefined ? null : (await pages.findShown(sourceUrlOf(pageUrl)))?.article?.icon;
    if (pageUrl === undefined || !url) return null;
    return source.find(url, (fetchedAtMs) => !pages.wasRefreshedSince(pageUrl, fetchedAtMs));
  }

  return createPublicRoute(`${ICON_FOLDER}<id>`, async ({ request, url }) => {
    const icon = await findIcon(url.pathname.slice(ICON_FOLDER.length));
    // browsers log a 404 as an error of the page
    return icon ? replyWith(request, icon) : reply(null, { status: 204, headers: { 'cache-control': 'no-cache' } });
  });
}

function replyWith(request: IncomingRequest, { bytes, mediaType, digest }: Picture): Reply {
  const headers = { ...HEADERS, etag: `"${digest}"`, 'content-type': mediaType };
  return unlessKnown(request.headers, reply(bytes, { headers }));
}
