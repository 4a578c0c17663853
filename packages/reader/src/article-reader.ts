import { type ChildProcess, fork } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PageReading } from './article/article.ts';
import type { RobotsMode } from './robots.ts';
import type { SourceFile } from './sources/file.ts';
import type { PlayerSource } from './sources/player.ts';

export type { PageReading, SourceFile };

interface PageJob {
  readonly html: string;
  readonly url: string;
  readonly robots: string | null;
}

/** A page, another source, or a player with what is known of its page. */
export type ReadJob = PageJob | SourceFile | PlayerSource;

export type WorkerMessage = 'ready' | PageReading | { readonly error: unknown };

export type ReadResult =
  | ({ readonly kind: 'article' } & PageReading)
  /** The error is null if the page took too much time or memory, else a bug of the reader. */
  | { readonly kind: 'unreadable'; readonly error: unknown }
  /** Not read: the queue is full, the reader is closed, or the system starts no further process. */
  | { readonly kind: 'dropped' };

/** Reads pages outside the event loop, one at a time, in the order of the calls. */
export interface ArticleReader {
  read(job: ReadJob): Promise<ReadResult>;
  close(): void;
}

interface Options {
  readonly timeoutMs?: number;
  readonly maxHeapMb?: number;
  readonly robotsMode?: RobotsMode;
}

interface Task {
  readonly job: ReadJob;
  readonly resolve: (result: ReadResult) => void;
}

const READ_TIMEOUT_MS = 5_000;
/** For the start of the process, which a busy machine delays through no fault of the page. */
const START_TIMEOUT_MS = 15_000;
const MAX_HEAP_MB = 512;
/** Limit of the queue. Most pages take about 100 ms. */
export const MAX_QUEUED = 16;
/** The page took too much time or memory. */
const UNREADABLE: ReadResult = { kind: 'unreadable', error: null };
const WORKER = fileURLToPath(new URL('./article-worker.ts', import.meta.url));

/**
 * Creates a reader that owns one child process, restarted after a page that it did not survive. A worker thread would
 * not do: a thread that runs out of memory in one large step ends the whole process.
 */
export function createArticleReader(options: Options = {}): ArticleReader {
  const { timeoutMs = READ_TIMEOUT_MS, maxHeapMb = MAX_HEAP_MB, robotsMode = 'respect' } = options;
  let worker: ChildProcess | null = null;
  let current: Task | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const queue: Task[] = [];

  function startWorker(): ChildProcess {
    const started = fork(WORKER, [robotsMode], {
      execArgv: [`--max-old-space-size=${maxHeapMb}`],
      // keeps the secrets in the environment away from the pages
      env: { NODE_COMPILE_CACHE: module.getCompileCacheDir() },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.unref();
    started.channel?.unref();
    started.on('message', (message: WorkerMessage) => started === worker && receive(message));
    started.on('exit', () => started === worker && abandonWorker(UNREADABLE));
    started.on('error', (error) => started === worker && abandonWorker({ kind: 'unreadable', error }));
    return started;
  }

  function startNext(): void {
    current = queue.shift() ?? null;
    if (!current) return;
    setTimer(worker ? timeoutMs : START_TIMEOUT_MS);
    try {
      worker ??= startWorker();
      if (worker.pid === undefined) abandonWorker({ kind: 'dropped' });
      else worker.send(current.job);
    } catch (error) {
      abandonWorker({ kind: 'unreadable', error });
    }
  }

  function setTimer(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(abandonWorker, ms, UNREADABLE);
  }

  function receive(message: WorkerMessage): void {
    if (message === 'ready') setTimer(timeoutMs);
    else if ('article' in message) finishCurrent({ kind: 'article', ...message });
    else finishCurrent({ kind: 'unreadable', error: message.error });
  }

  function abandonWorker(result: ReadResult): void {
    worker?.kill('SIGKILL');
    worker = null;
    finishCurrent(result);
  }

  function finishCurrent(result: ReadResult): void {
    clearTimeout(timer);
    current?.resolve(result);
    startNext();
  }

  return {
    read(job) {
      if (isClosed || queue.length >= MAX_QUEUED) return Promise.resolve({ kind: 'dropped' });
      const { promise, resolve } = Promise.withResolvers<ReadResult>();
      queue.push({ job, resolve });
      if (!current) startNext();
      return promise;
    },

    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const task of [...(current ? [current] : []), ...queue.splice(0)]) task.resolve({ kind: 'dropped' });
      current = null;
      worker?.kill('SIGKILL');
      worker = null;
    },
  };
}
