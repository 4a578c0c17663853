import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Config } from '../../../src/config.ts';
import type { Scope } from '../../../src/domain/identity/token.ts';
import { collectFaults, openPage, type PageOptions } from '../../../test/browser.ts';
import type { Client, TestApp } from '../../../test/open-app.ts';
import { openService } from '../../../test/open-service.ts';
import { articlePage, openSite } from '../../../test/pages/site.ts';
import { embedOf } from '../../../test/store/embeds/embed-of.ts';

const LOOPBACK_URL = /^(data:|blob:|about:|http:\/\/([\w.-]+\.)?(localhost|127\.0\.0\.1)[:/])/;
/** Lines that the browser logs itself for error responses and for requests that a test aborts. */
const FAILED_REQUEST =
  /^Failed to load resource: (the server responded with a status of (400|401|403|404|422|429|503)|net::ERR_(FAILED|INTERNET_DISCONNECTED))/;

/** Opens pages without animations, and fails tests whose page logs errors or sends requests to other machines. */
export function useBrowser(): { open(options?: PageOptions): Promise<Page> } {
  return {
    async open(options = {}) {
      const viewport = { width: 1280, height: 900 };
      const page = await openPage({ viewport, reducedMotion: 'reduce', ...options });
      const faults = collectFaults(page, {
        isAllowedUrl: (url) => LOOPBACK_URL.test(url),
        isExpectedError: (line) => FAILED_REQUEST.test(line),
      });
      onTestFinished(() => expect(faults).toEqual([]));
      return page;
    },
  };
}

export interface Gateway extends TestApp {
  /** The origin of the console. */
  readonly origin: string;
  /** Returns the URL of a page that is shown as a card. The title is taken from the URL. */
  readonly pageOf: (title: string) => string;
  /** Returns the URL of a page with an article. It loads more slowly. */
  readonly articleOf: (title: string) => string;
  /** Stores embeds with these titles, the last one as the newest, without a request for each. */
  readonly seed: (account: string, titles: readonly string[]) => Promise<void>;
  /** Creates a token for an account, and returns a client that uses it. */
  readonly join: (account: string, scopes?: readonly Scope[]) => Promise<Client & { readonly token: string }>;
}

/** Starts the whole service on a free port, and a site with articles. */
export async function openGateway(overrides: Partial<Config> = {}): Promise<Gateway> {
  const site = await openSite(({ url = '' }, response) => {
    const name = /^\/articles\/(.*)-0{32}$/.exec(url)?.[1]?.replaceAll('-', ' ');
    response.writeHead(name === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(name === undefined ? '' : articlePage(name));
  });
  const service = await openService((port) => {
    return { allowPrivatePages: true, embedHost: `embeds.localhost:${port}`, fontCssUrl: null, ...overrides };
  });
  return {
    ...service,
    origin: `http://localhost:${service.listener.port}`,
    pageOf: (title) => urlOf(site.origin, title),
    articleOf: (title) => urlOf(`${site.origin}/articles`, title),
    async seed(account, titles) {
      const embeds = titles.map((title) => embedOf(account, { title, pageUrl: urlOf(site.origin, title) }));
      await Promise.all(embeds.map((embed) => service.database.embeds.insert(embed)));
    },
    async join(account, scopes) {
      const client = await service.as(account, scopes);
      return { ...client, token: client.authorization.replace('Bearer ', '') };
    },
  };
}

function urlOf(base: string, title: string): string {
  return `${base}/${title.replaceAll(' ', '-')}-${'0'.repeat(32)}`;
}

/** Returns the titles of `count` pages, to seed embeds with. */
export function titlesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `Page ${i}`);
}

export function csvFile(text: string) {
  return { name: 'pages.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

/** Signs in through the form. */
export async function signIn(page: Page, { origin }: Gateway, token: string): Promise<void> {
  await page.goto(`${origin}/`);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Embeds', exact: false, level: 1 }).waitFor();
}

/** Aborts event streams until the test removes the route to the API. */
export async function withoutStreams(page: Page): Promise<void> {
  await page.route('**/graphql', (route) => {
    const isStream = route.request().headers().accept?.includes('text/event-stream');
    return isStream ? route.abort() : route.continue();
  });
}

/** Holds requests to the API until the returned function is called, and then finishes them. */
export async function holdRequests(page: Page, finish: (route: Route) => Promise<void>): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    await promise;
    await finish(route);
  });
  return resolve;
}

/** Lets the service handle requests to the API, but not the browser receive the responses. */
export async function loseResponses(page: Page): Promise<void> {
  await page.route('**/graphql', async (route) => {
    await route.fetch();
    await abortRequest(route);
  });
}

/** Lets the service handle the first call of a mutation, but not the browser receive its response. */
export async function loseFirstResponse(
  page: Page,
  mutation: string,
  finish: (route: Route) => Promise<void>,
): Promise<void> {
  let calls = 0;
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(`mutation ${mutation}`) || calls++ > 0) return route.fallback();
    await route.fetch();
    await finish(route);
  });
}

/** The response of a service whose database is away. */
export const UNAVAILABLE = {
  status: 503,
  headers: { 'content-type': 'application/graphql-response+json', 'retry-after': '1' },
  body: '{"errors":[{"message":"The database is away.","extensions":{"code":"SERVICE_UNAVAILABLE"}}]}',
};

/** Aborts a request. Ignores the error after the end of the test, which has answered all requests. */
export async function abortRequest(route: Route): Promise<void> {
  await route.abort().catch(() => {});
}
