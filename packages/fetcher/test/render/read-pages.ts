import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { openSite } from '../../../../test/pages/site.ts';
import { readArticle } from '../../../reader/src/article/article.ts';
import { openRenderer } from './renderer.ts';

export const SENTENCE = 'The pantry list starts with what is already there, and ends with what the week still needs. ';

export const frame = (text: string) =>
  `<!doctype html><title>Frame</title><body><article><p>${text} ${SENTENCE.repeat(4)}</p><p><a href="next">Next</a></p></article>`;

export const page = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Seven dinners</title></head><body>${body}</body></html>`;

/** Opens a site and a renderer. Returns a function that renders and reads a page. */
export async function openPages(options = {}) {
  const answer = async ({ url }: IncomingMessage, response: ServerResponse) => {
    if (url === '/slow') await pause(6_000);
    const bodies = new Map([
      ['/slow', `MARKED ${SENTENCE.repeat(4)}`],
      ['/frame', frame('MARKED')],
      ['/walled-menu', page('<p>Privacy</p><button onclick="parent.location = \'/offer\'">Enter the shop</button>')],
      ['/offer', frame('UNWANTED')],
    ]);
    const body = bodies.get(url ?? '') ?? null;
    if (body === null) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  };
  const site = await openSite(answer);
  const { renderer } = openRenderer(options);
  return async (html: string) => {
    const rendered = await renderer.render({ url: `${site.origin}/page`, html, robots: null });
    if (rendered?.kind !== 'page') throw new Error(`not rendered: ${rendered?.kind}`);
    return readArticle(rendered.html, { url: rendered.url, robots: null }).article;
  };
}

/** Expects the word MARKED once in the article of each page, and UNWANTED in none. */
export async function readPages(pages: Readonly<Record<string, string>>): Promise<void> {
  const read = await openPages();
  for (const [name, body] of Object.entries(pages)) {
    const { content, isPaywalled } = await read(body.startsWith('<!doctype') ? body : page(body));
    expect.soft(content?.match(/MARKED/g)?.length, name).toBe(1);
    expect.soft(content, name).not.toMatch(/UNWANTED|lentils.*lentils.*lentils/s);
    expect.soft(isPaywalled, name).toBe(false);
  }
}
