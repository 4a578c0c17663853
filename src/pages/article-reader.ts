import { Worker } from 'node:worker_threads';
import type { Article } from '../domain/article.ts';

/** A fetched page to be read. */
export interface ReadJob {
  readonly html: string;
  readonly url: string;
  readonly robots: string | null;
}

/** Reads pages beside the event loop. */
export interface ArticleReader {
  /** The article of a page; null when reading it takes too long or too much memory. */
  read(job: ReadJob): Promise<Article | null>;
  close(): Promise<void>;
}

const READ_TIMEOUT_MS = 5_000;
const MAX_HEAP_MB = 512;
const WORKER = new URL('./article-worker.ts', import.meta.url);

/**
 * One thread, started by the first job and again after a job that it did not survive. Parsing a large page takes
 * seconds, in which a single-threaded service would answer nobody.
 */
export function createArticleReader(): ArticleReader {
  let worker: Worker | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  function open(): Worker {
    const opened = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    opened.unref();
    // an error that nobody hears would end the process
    opened.on('error', () => {});
    return opened;
  }

  function run(job: ReadJob): Promise<Article | null> {
    worker ??= open();
    const running = worker;
    return new Promise((resolve) => {
      const finish = (article: Article | null, isSurvivor: boolean) => {
        clearTimeout(deadline);
        running.off('message', onMessage).off('error', onDeath).off('exit', onDeath);
        if (!isSurvivor) {
          worker = null;
          void running.terminate();
        }
        resolve(article);
      };
      const onMessage = (article: Article) => finish(article, true);
      const onDeath = () => finish(null, false);
      const deadline = setTimeout(() => finish(null, false), READ_TIMEOUT_MS);
      running.on('message', onMessage).on('error', onDeath).on('exit', onDeath);
      running.postMessage(job);
    });
  }

  return {
    read(job) {
      const result = queue.then(() => run(job));
      queue = result.catch(() => {});
      return result;
    },
    async close() {
      await worker?.terminate();
      worker = null;
    },
  };
}
