import type { Embed } from '@embed-gateway/client';
import type { PageEmbedElement } from '@embed-gateway/embed';
import { PageEmbed } from '@embed-gateway/embed/react';
import { createRef } from 'react';

export const reference = createRef<PageEmbedElement>();

/** Shows an embed with the component, and with the element in JSX. */
export function Embeds({ embed, title }: { readonly embed: Embed; readonly title: string }) {
  return (
    <>
      <PageEmbed
        ref={reference}
        src={embed.embed_url}
        title={title}
        mode={embed.mode}
        className="component"
        style={{ marginBlock: '1rem' }}
      >
        <a href={embed.page_url}>{title}</a>
      </PageEmbed>
      <page-embed src={embed.embed_url} title={title} id="element" />
      {/* @ts-expect-error: the name of the iframe is required */}
      <PageEmbed src={embed.embed_url} hidden />
      {/* @ts-expect-error: so is its URL */}
      <page-embed title={title} hidden />
    </>
  );
}
