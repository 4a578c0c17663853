import type { Embed, EmbedList } from '@embed-gateway/client';
import { useState } from 'react';

export function EmbedTable() {
  const [embeds, setEmbeds] = useState<readonly Embed[]>([]);
  const [next, setNext] = useState<string | null>('');

  async function loadPage() {
    const response = await fetch(next ? `/api/embeds?after=${next}` : '/api/embeds');
    const page: EmbedList = await response.json();
    setEmbeds([...embeds, ...page.embeds]);
    setNext(page.pagination.has_next_page ? page.pagination.end_cursor : null);
  }

  return (
    <>
      <ul>
        {embeds.map(({ id, page_url }) => (
          <li key={id}>{page_url}</li>
        ))}
      </ul>
      {next !== null && <button onClick={loadPage}>Load more</button>}
    </>
  );
}
