import { parentPort } from 'node:worker_threads';
import { readArticle } from './article.ts';
import type { ReadJob } from './article-reader.ts';

/** Reads articles on a thread of its own, one after the other: what a page does to a parser stays here. */
parentPort?.on('message', ({ html, url, robots }: ReadJob) => {
  parentPort?.postMessage(readArticle(html, { url, robots }));
});
