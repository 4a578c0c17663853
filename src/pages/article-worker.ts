import { readArticle } from './article/article.ts';
import type { ReadJob, WorkerReply } from './article-reader.ts';

/** Reads articles in a process of its own, one after the other: what a page does to a parser stays here. */
process.on('message', ({ html, url, robots }: ReadJob) =>
  reply(() => ({ article: readArticle(html, { url, robots }) })),
);

process.send?.('ready' satisfies WorkerReply);

/** A signal for the whole group is the service's to answer; without the service there is nothing to do. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

function reply(work: () => WorkerReply): void {
  try {
    process.send?.(work());
  } catch (bug) {
    process.send?.({ bug } satisfies WorkerReply);
  }
}
