import { type PageReading, readArticle } from './article/article.ts';
import type { FormJob } from './article-forms.ts';
import type { ReadJob, WorkerMessage } from './article-reader.ts';
import { readPlayer } from './sources/player.ts';
import { readSource } from './sources/source.ts';

/** The argument of the process, from `article-reader.ts`. */
const robotsMode = process.argv[2] === 'named' ? 'named' : 'respect';

process.on('message', (job: ReadJob | FormJob) => void send(job));

process.send?.('ready' satisfies WorkerMessage);

// the service stops this process: a signal to the process group must not, nor may it outlive the service
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

async function answer(job: ReadJob | FormJob): Promise<WorkerMessage> {
  if (!('form' in job)) return read(job);
  // most services never need the libraries
  const { makeForm } = await import('./article-forms.ts');
  return { form: makeForm(job) };
}

function read(job: ReadJob): PageReading | Promise<PageReading> {
  if ('html' in job) return readArticle(job.html, { ...job, robotsMode });
  return 'mediaType' in job ? readSource(job, robotsMode) : readPlayer(job);
}

async function send(job: ReadJob | FormJob): Promise<void> {
  try {
    process.send?.(await answer(job));
  } catch (error) {
    process.send?.({ error } satisfies WorkerMessage);
  }
}
