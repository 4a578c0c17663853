import { readArticle } from './article/article.ts';
import type { ReadJob, WorkerMessage } from './article-reader.ts';

/** The argument of the process, from `article-reader.ts`. */
const robotsMode = process.argv[2] === 'named' ? 'named' : 'respect';

process.on('message', ({ html, url, robots }: ReadJob) => send(() => readArticle(html, { url, robots, robotsMode })));

process.send?.('ready' satisfies WorkerMessage);

// the service stops this process: a signal to the process group must not, nor may it outlive the service
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

function send(work: () => WorkerMessage): void {
  try {
    process.send?.(work());
  } catch (error) {
    process.send?.({ error } satisfies WorkerMessage);
  }
}
