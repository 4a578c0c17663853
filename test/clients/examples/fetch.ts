import { PAGE_URL, type Service, type Tour } from './tour.ts';

/** REST with nothing but `fetch`. */
export async function tour({ origin, token }: Service): Promise<Tour> {
  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${answer.code}: ${answer.detail} (request ${answer.request_id})`);
    return { answer, headers: response.headers };
  }

  for (let i = 0; i < 3; i++) {
    // a new key for each embed: a create that gets no answer can be sent again
    await call('POST', '/v1/embeds', { page_url: PAGE_URL }, { 'idempotency-key': crypto.randomUUID() });
  }

  const listed: string[] = [];
  let path: string | undefined = '/v1/embeds?first=2';
  while (path !== undefined) {
    const { answer, headers } = await call('GET', path);
    for (const { id } of answer.embeds) listed.push(id);
    path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }

  const [newest = '', second = ''] = listed;
  const read = await call('GET', `/v1/embeds/${newest}`);
  // refused with 412 when somebody else has changed it in the meantime
  const condition = { 'if-match': read.headers.get('etag') ?? '' };
  const updated = await call('PATCH', `/v1/embeds/${newest}`, { mode: 'dark' }, condition);
  await call('DELETE', `/v1/embeds/${second}`);
  return { listed, updated: updated.answer.embed, deleted: second };
}
