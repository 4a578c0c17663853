import { PAGE_URL, type Service, type Tour } from './tour.ts';

/** Runs the tour over REST with `fetch` alone. */
export async function tour({ origin, token }: Service): Promise<Tour> {
  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const result = await response.json();
    if (!response.ok) throw new Error(`${result.code}: ${result.detail} (request ${result.request_id})`);
    return { result, headers: response.headers };
  }

  for (let i = 0; i < 3; i++) {
    // a new key for each embed: after a lost response, the create can be repeated with its key
    await call('POST', '/v1/embeds', { page_url: PAGE_URL }, { 'idempotency-key': crypto.randomUUID() });
  }

  const listed: string[] = [];
  let path: string | undefined = '/v1/embeds?first=2';
  while (path !== undefined) {
    const { result, headers } = await call('GET', path);
    for (const { id } of result.embeds) listed.push(id);
    path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }

  const [newest = '', second = ''] = listed;
  const read = await call('GET', `/v1/embeds/${newest}`);
  // the service returns 412 if another client has changed the embed
  const condition = { 'if-match': read.headers.get('etag') ?? '' };
  const updated = await call('PATCH', `/v1/embeds/${newest}`, { mode: 'dark' }, condition);
  await call('DELETE', `/v1/embeds/${second}`);
  return { listed, updated: updated.result.embed, deleted: second };
}
