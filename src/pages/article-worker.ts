import { type PageReading, readArticle } from './article/article.ts';
import type { ReadJob, WorkerMessage } from './article-reader.ts';

/** The argument of the process, from `article-reader.ts`. */
const robotsMode = process.argv[2] === 'named' ? 'named' : 'respect';

process.on('message', (job: ReadJob) => send(() => read(job)));

process.send?.('ready' satisfies WorkerMessage);

// the service stops this process: a signal to the process group must not, nor may it outlive the service
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

/** Loads the readers of other sources on first use: most sources are pages, whose readers wait for the process to start. */
async function read(job: ReadJob): Promise<PageReading> {
  if ('html' in job) return readArticle(job.html, { ...job, robotsMode });
  if ('mediaType' in job) return (await import('./sources/source.ts')).readSource(job, robotsMode);
  return (await import('./sources/player.ts')).readPlayer(job);
}

async function send(work: () => Promise<WorkerMessage>): Promise<void> {
  try {
    process.send?.(await work());
  } catch (error) {
    process.send?.({ error } satisfies WorkerMessage);
  }
}
