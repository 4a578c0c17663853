import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PageReading } from './article/article.ts';
import type { ArticleForms, FormJob, FormName } from './article-forms.ts';
import type { RobotsMode } from './robots.ts';
import type { SourceFile } from './sources/file.ts';
import type { PlayerSource } from './sources/player.ts';

export type { PageReading, SourceFile };

interface PageJob {
  readonly html: string;
  readonly url: string;
  readonly robots: string | null;
  readonly isRendered?: boolean;
}

/** A page, another source, or a player with what is known of its page. */
export type ReadJob = PageJob | SourceFile | PlayerSource;

export type WorkerMessage = 'ready' | PageReading | MadeForm | { readonly error: unknown };

interface MadeForm<Name extends FormName = FormName> {
  readonly form: ArticleForms[Name];
}

type Failure =
  /** The error is null if the page took too much time or memory, else a bug of the reader. */
  | { readonly kind: 'unreadable'; readonly error: unknown }
  /** Not read: the queue is full, the machine is busy, the reader is closed, or the system starts no further process. */
  | { readonly kind: 'dropped' };

export type ReadResult = ({ readonly kind: 'article' } & PageReading) | Failure;
export type FormResult<Name extends FormName = FormName> = ({ readonly kind: 'form' } & MadeForm<Name>) | Failure;

/** Reads pages and makes forms of articles outside the event loop, one at a time, in the order of the calls: pages first, then parts. */
export interface ArticleReader {
  read(job: ReadJob): Promise<ReadResult>;
  makeForm<Name extends FormName>(job: FormJob<Name>): Promise<FormResult<Name>>;
  /** Starts the process before the first job. */
  start(): void;
  close(): void;
}

interface Options {
  readonly maxProcessorMs?: number;
  readonly busyTimeoutMs?: number;
  readonly maxHeapMb?: number;
  readonly robotsMode?: RobotsMode;
}

interface Task {
  readonly job: ReadJob | FormJob;
  readonly resolve: (result: ReadResult | FormResult) => void;
}

interface FormQueue {
  readonly tasks: Task[];
  /** In characters of the articles. */
  length: number;
}

/** Of one job. Where the system does not tell it, the time on the clock counts. */
const MAX_PROCESSOR_MS = 3_000;
const CHECK_INTERVAL_MS = 100;
/** Linux counts in hundredths of a second. */
const TICK_MS = 10;
/** For the start of the process, and for a job. Only a busy machine takes longer, through no fault of the page. */
const BUSY_TIMEOUT_MS = 15_000;
const MAX_HEAP_MB = 512;
/** Limit of the queue. Most pages take about 100 ms. */
export const MAX_QUEUED = 16;
/** Limit of the queue of parts, and of that of other forms, in characters of their articles. */
const MAX_QUEUED_LENGTH = 32_000_000;
/** The page took too much time or memory. */
const UNREADABLE: Failure = { kind: 'unreadable', error: null };
const DROPPED: Failure = { kind: 'dropped' };
const WORKER = fileURLToPath(new URL('./article-worker.ts', import.meta.url));

/**
 * Creates a reader that owns one child process, restarted after a page that it did not survive. A worker thread would
 * not do: a thread that runs out of memory in one large step ends the whole process.
 */
export function createArticleReader(options: Options = {}): ArticleReader {
  const {
    maxProcessorMs = MAX_PROCESSOR_MS,
    busyTimeoutMs = BUSY_TIMEOUT_MS,
    maxHeapMb = MAX_HEAP_MB,
    robotsMode = 'respect',
  } = options;
  let worker: ChildProcess | null = null;
  let isReady = false;
  let current: Task | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const queue: Task[] = [];
  /** Readers wait for them. */
  const parts: FormQueue = { tasks: [], length: 0 };
  const forms: FormQueue = { tasks: [], length: 0 };

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
    current = queue.shift() ?? shiftForm(parts) ?? shiftForm(forms) ?? null;
    if (!current) return;
    try {
      worker ??= startWorker();
      if (isReady) watch(worker);
      else timer = setTimeout(abandonWorker, busyTimeoutMs, DROPPED);
      if (worker.pid === undefined) abandonWorker(DROPPED);
      else worker.send(current.job);
    } catch (error) {
      abandonWorker({ kind: 'unreadable', error });
    }
  }

  /** Ends the current job when it has taken its processor time, or its time on the clock. */
  function watch({ pid = 0 }: ChildProcess): void {
    clearTimeout(timer);
    const startMs = performance.now();
    const startProcessorMs = processorTimeOf(pid);
    timer = setInterval(() => {
      const elapsedMs = performance.now() - startMs;
      const processorMs = startProcessorMs === null ? null : processorTimeOf(pid);
      const usedMs = processorMs === null ? elapsedMs : processorMs - (startProcessorMs ?? 0);
      if (usedMs > maxProcessorMs) abandonWorker(UNREADABLE);
      else if (elapsedMs > busyTimeoutMs) abandonWorker(DROPPED);
    }, CHECK_INTERVAL_MS);
  }

  function receive(message: WorkerMessage): void {
    if (message === 'ready') {
      isReady = true;
      if (worker && current) watch(worker);
    } else if ('article' in message) finishCurrent({ kind: 'article', ...message });
    else if ('form' in message) finishCurrent({ kind: 'form', ...message });
    else finishCurrent({ kind: 'unreadable', error: message.error });
  }

  function abandonWorker(result: Failure): void {
    worker?.kill('SIGKILL');
    worker = null;
    isReady = false;
    finishCurrent(result);
  }

  function finishCurrent(result: ReadResult | FormResult): void {
    clearTimeout(timer);
    current?.resolve(result);
    startNext();
  }

  function enqueue<Result extends ReadResult | FormResult>(tasks: Task[], job: Task['job']): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    tasks.push({ job, resolve: resolve as Task['resolve'] });
    if (!current) startNext();
    return promise;
  }

  return {
    async read(job) {
      return isClosed || queue.length >= MAX_QUEUED ? DROPPED : enqueue(queue, job);
    },

    async makeForm(job) {
      const waiting = job.form === 'part' ? parts : forms;
      if (isClosed || waiting.length + lengthOf(job) > MAX_QUEUED_LENGTH) return DROPPED;
      waiting.length += lengthOf(job);
      return enqueue(waiting.tasks, job);
    },

    start() {
      if (!isClosed) worker ??= startWorker();
    },

    close() {
      isClosed = true;
      clearTimeout(timer);
      const waiting = [queue, parts.tasks, forms.tasks].flatMap((tasks) => tasks.splice(0));
      for (const task of current ? [current, ...waiting] : waiting) task.resolve(DROPPED);
      current = null;
      worker?.kill('SIGKILL');
      worker = null;
    },
  };
}

function shiftForm(waiting: FormQueue): Task | undefined {
  const task = waiting.tasks.shift();
  if (task) waiting.length -= lengthOf(task.job);
  return task;
}

function lengthOf(job: Task['job']): number {
  return 'form' in job ? job.article.content.length : 0;
}

/** Returns the processor time of a process with its threads, in milliseconds; null if the system does not tell, or the process has ended. */
function processorTimeOf(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  try {
    // pid (name) state … utime stime as the 14th and 15th; the name may contain spaces and parentheses
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
