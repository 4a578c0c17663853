import { expect } from 'vitest';
import { openApp, type TestApp } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';

/** Opens a service, and a site of one page. */
export async function openWithSite(html = articlePage('Meal Planner')) {
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(html);
  });
  const service = await openApp({ allowPrivatePages: true });
  const ada = await service.as('ada');
  return { site, service, ada, pageUrl: `${site.origin}/notes/week` };
}

/** Sends a request without a token, as a browser does. */
export function visit({ app }: TestApp, url: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(url, init));
}

/** Repeats {@link visit} until the article is there: on a busy machine, reading it may exceed the timeout for readers. */
export async function visitWhenRead(service: TestApp, url: string): Promise<Response> {
  let response = await visit(service, url);
  const isCard = async () => {
    if (response.headers.get('cache-control') === 'no-store') response = await visit(service, url);
    return response.headers.get('cache-control') === 'no-store';
  };
  await expect.poll(isCard).toBe(false);
  return response;
}
