import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi.ts';
import { PAGE_URL, type Service, type Tour } from './tour.ts';

/** Runs the tour over REST with types from `npx openapi-typescript http://127.0.0.1:4000/openapi.json -o openapi.ts`. */
export async function tour({ origin, token }: Service): Promise<Tour> {
  const client = createClient<paths>({ baseUrl: origin, headers: { authorization: `Bearer ${token}` } });

  for (let i = 0; i < 3; i++) await client.POST('/v1/embeds', { body: { page_url: PAGE_URL } }).then(required);

  const listed: string[] = [];
  let after: string | null = null;
  do {
    const page: EmbedList = await client
      .GET('/v1/embeds', { params: { query: { first: 2, ...(after && { after }) } } })
      .then(required);
    listed.push(...page.embeds.map(({ id }) => id));
    after = page.pagination.has_next_page ? page.pagination.end_cursor : null;
  } while (after !== null);

  const [newest = '', second = ''] = listed;
  const { embed } = await client
    .PATCH('/v1/embeds/{id}', { params: { path: { id: newest } }, body: { mode: 'dark' } })
    .then(required);
  await client.DELETE('/v1/embeds/{id}', { params: { path: { id: second } } }).then(required);

  const { error } = await client.GET('/v1/embeds/{id}', { params: { path: { id: second } } });
  if (error?.code !== 'not_found') throw new Error('a deleted embed was found');
  return { listed, updated: embed, deleted: second };
}

type EmbedList = components['schemas']['EmbedList'];

function required<T>({ data, error }: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.detail}`);
  return data;
}

/** Shows mistakes that the compiler finds. It is never called. */
export function mistakes(client: ReturnType<typeof createClient<paths>>): void {
  // @ts-expect-error page_url is required
  void client.POST('/v1/embeds', { body: { mode: 'dark' } });
  // @ts-expect-error pink is not a mode
  void client.POST('/v1/embeds', { body: { page_url: PAGE_URL, mode: 'pink' } });
  // @ts-expect-error there is no parameter `page`
  void client.GET('/v1/embeds', { params: { query: { page: 2 } } });
  // @ts-expect-error the path does not exist
  void client.GET('/v1/embed');
}
