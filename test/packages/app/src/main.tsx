import { EmbedGateway, NotFoundError } from '@embed-gateway/client';
import { EmbedDocument } from '@embed-gateway/client/graphql';
import { createRoot } from 'react-dom/client';
import { Embeds, reference } from './embeds';

const parameters = new URLSearchParams(location.search);
const client = new EmbedGateway({
  baseUrl: parameters.get('service') ?? '',
  token: parameters.get('token') ?? '',
});

const { embed, etag } = await client.createEmbed({ page_url: parameters.get('page') ?? '', mode: 'light' });
const details = await client.graphql(EmbedDocument, { id: embed.id });
const title: string = details.embed?.title ?? '';
const ids: string[] = [];
for await (const { id } of client.embeds({ first: 1 })) ids.push(id);
const missing: unknown = await client.retrieveEmbed('unknown').catch((error: unknown) => error);

createRoot(document.querySelector('#app') as Element).render(<Embeds embed={embed} title={title} />);

const markup = document.querySelector('#markup') as Element;
markup.innerHTML = `<page-embed src="${embed.embed_url}" title="markup"></page-embed>`;
const typed: HTMLElement | null = markup.querySelector('page-embed');

Object.assign(window, {
  findResults: () => ({
    etag,
    title,
    ids,
    isMissing: missing instanceof NotFoundError,
    tags: [typed?.localName, reference.current?.localName, reference.current?.className],
    colorScheme: reference.current?.style.colorScheme,
  }),
});
