import type { Embed } from '../../domain/embed/embed.ts';
import { Refusal } from '../../errors.ts';
import { createPublicRoute, type IncomingRequest, type Route } from '../../http/exchange.ts';
import { matchesWeakly } from '../../http/negotiation.ts';
import { type Reply, reply, withHeaders } from '../../http/reply.ts';
import { findEmbedId } from './embed-host.ts';
import type { EmbedPages, HostedServices } from './embed-page.ts';
import { PICTURE_FOLDER } from './render/local-pictures.ts';

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
  async function findPicture(url: URL): Promise<{ readonly embed: Embed; readonly picture: Picture }> {
    const id = findEmbedId(url, services);
    const found = id === null ? null : await pages.find(id);
    const name = url.pathname.slice(PICTURE_FOLDER.length);
    const pictureUrl = found && (await pages.findPictureUrl(found, name));
    if (!pictureUrl) throw new Refusal('not_found', 'No embed at this host shows this picture.');
    const { embed } = found;
    const isCurrent = (fetchedAtMs: number) => !services.pages.wasRefreshedSince(embed.pageUrl, fetchedAtMs);
    const picture = await source.find(pictureUrl, isCurrent);
    if (!picture) throw new Refusal('not_found', 'The picture cannot be fetched from its site, or is not a picture.');
    return { embed, picture };
  }

  function replyWith(request: IncomingRequest, { bytes, mediaType, digest }: Picture): Reply {
    const etag = `"${digest}"`;
    const condition = request.headers.get('if-none-match');
    if (condition !== null && matchesWeakly(condition, etag)) {
      return reply(null, { status: 304, headers: { etag, 'cache-control': HEADERS['cache-control'] } });
    }
    return reply(bytes, { headers: { ...HEADERS, etag, 'content-type': mediaType } });
  }

  return createPublicRoute(`<id>.<EMBED_HOST>${PICTURE_FOLDER}<name>`, async ({ request, url }) => {
    const { embed, picture } = await findPicture(url);
    return withHeaders(replyWith(request, picture), services.edgeHeaders.keysOf(embed));
  });
}
