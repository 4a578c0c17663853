import { type ChildProcess, fork } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Article } from '../domain/page/article.ts';

/** A fetched page to be read. */
export interface ReadJob {
  readonly html: string;
  readonly url: string;
  readonly robots: string | null;
}

/** That the worker can begin, and then what it makes of each job. */
export type WorkerReply = 'ready' | { readonly article: Article } | { readonly bug: unknown };

export type Reading =
  | Article
  /** Reading the page took too long or too much memory. */
  | 'unreadable'
  /** The page was not read: too many wait, or the service stops. */
  | 'dropped';

/** Reads pages beside the event loop. */
export interface ArticleReader {
  read(job: ReadJob): Promise<Reading>;
  /** Drops what is not read yet. */
  close(): void;
}

interface Options {
  /** Told of what went wrong and is not the page's doing. */
  readonly onBug: (error: unknown) => void;
  readonly timeoutMs?: number;
  readonly maxHeapMb?: number;
}

interface Task {
  readonly job: ReadJob;
  readonly settle: (reading: Reading) => void;
}

const READ_TIMEOUT_MS = 5_000;
/** Until the process can begin: a busy machine must not end each for the time that it took to start. */
const START_TIMEOUT_MS = 15_000;
const MAX_HEAP_MB = 512;
/** Jobs behind the one that is read. Most take some 100 ms; whoever would wait for longer is better told at once. */
export const MAX_WAITING = 16;
const WORKER = fileURLToPath(new URL('./article-worker.ts', import.meta.url));

/**
 * One process, started by the first job and again after a job that it did not survive. Parsing a large page takes
 * seconds, in which a single-threaded service would answer nobody; and a thread that runs out of memory in one large
 * step takes the whole process with it.
 */
export function createArticleReader(options: Options): ArticleReader {
  const { onBug, timeoutMs = READ_TIMEOUT_MS, maxHeapMb = MAX_HEAP_MB } = options;
  let worker: ChildProcess | null = null;
  let current: Task | null = null;
  let deadline: NodeJS.Timeout | undefined;
  let isClosed = false;
  const waiting: Task[] = [];

  function open(): ChildProcess {
    const opened = fork(WORKER, {
      execArgv: [`--max-old-space-size=${maxHeapMb}`],
      // secrets of the service are nothing to a page
      env: { NODE_COMPILE_CACHE: module.getCompileCacheDir() },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    opened.unref();
    opened.channel?.unref();
    opened.on('message', (reply: WorkerReply) => opened === worker && hear(reply));
    opened.on('exit', () => opened === worker && lose());
    opened.on('error', (error) => {
      onBug(error);
      if (opened === worker) lose();
    });
    return opened;
  }

  function advance(): void {
    current = waiting.shift() ?? null;
    if (!current) return;
    allow(worker ? timeoutMs : START_TIMEOUT_MS);
    try {
      worker ??= open();
      worker.send(current.job);
    } catch (error) {
      // the machine has no room for a process
      onBug(error);
      lose();
    }
  }

  function allow(ms: number): void {
    clearTimeout(deadline);
    deadline = setTimeout(lose, ms);
  }

  function hear(reply: WorkerReply): void {
    if (reply === 'ready') {
      allow(timeoutMs);
    } else {
      if ('bug' in reply) onBug(reply.bug);
      settle('article' in reply ? reply.article : 'unreadable');
    }
  }

  /** The process is given up, and with it the page that it was at. */
  function lose(): void {
    worker?.kill('SIGKILL');
    worker = null;
    settle('unreadable');
  }

  function settle(reading: Reading): void {
    clearTimeout(deadline);
    current?.settle(reading);
    advance();
  }

  return {
    read(job) {
      if (isClosed || waiting.length >= MAX_WAITING) return Promise.resolve('dropped');
      const { promise, resolve } = Promise.withResolvers<Reading>();
      waiting.push({ job, settle: resolve });
      if (!current) advance();
      return promise;
    },

    close() {
      isClosed = true;
      clearTimeout(deadline);
      for (const task of [...(current ? [current] : []), ...waiting.splice(0)]) task.settle('dropped');
      current = null;
      worker?.kill('SIGKILL');
      worker = null;
    },
  };
}
