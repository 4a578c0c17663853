import { heightsOf, renderSnippet } from '#frame';
import type { Embed } from '../../domain/embed/embed.ts';
import { type EmbedHost, embedOriginOf, embedUrlOf } from '../../domain/embed/url.ts';
import type { PageOutline } from '../../domain/page-copy.ts';

/** Fetches nothing: the first height follows from what is known of the page. */
export function snippetOf(embed: Embed, host: EmbedHost, { state, heights }: PageOutline): string {
  const { title, mode } = embed;
  return renderSnippet({
    embedUrl: embedUrlOf(embed, host),
    title,
    mode,
    scriptUrl: `${embedOriginOf(host)}/embed.js`,
    heights: state === 'PENDING' ? null : heightsOf(embed, heights),
  });
}
