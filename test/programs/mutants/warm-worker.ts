import { type PoolOptions, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node';

/** Threads that are kept collect listeners, and what mutants leave behind. */
const MAX_RUNS = 100;

type Listener = Parameters<ThreadsPoolWorker['on']>[1];

interface WarmThread {
  readonly worker: ThreadsPoolWorker;
  runs: number;
}

let idle: WarmThread | null = null;

export async function stopIdleThread(): Promise<void> {
  await idle?.worker.stop();
  idle = null;
}

/**
 * A thread of Vitest that stays for the next run, with all modules loaded. Vitest ends its threads after each run; Stryker
 * starts a run for each mutant, and to load the service takes longer than most tests of a mutant.
 */
export class WarmWorker extends ThreadsPoolWorker {
  override readonly name = 'warm';
  #thread: WarmThread;
  #isRunning = false;
  readonly #listeners: [string, Listener][] = [];

  constructor(options: PoolOptions) {
    super(options);
    this.#thread = idle ?? { worker: new ThreadsPoolWorker(options), runs: 0 };
    idle = null;
  }

  override on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    this.#thread.worker.on(event, listener);
  }

  override off(event: string, listener: Listener): void {
    this.#thread.worker.off(event, listener);
  }

  override send(message: WorkerRequest): void {
    if (message.type === 'run') this.#isRunning = true;
    if (message.type === 'stop' && this.#canStay) this.#answerStop();
    else this.#thread.worker.send(message);
  }

  /** Answers for the thread, which would stop listening. */
  #answerStop(): void {
    for (const [event, listener] of this.#listeners) {
      if (event === 'message') listener({ __vitest_worker_response__: true, type: 'stopped' });
    }
  }

  override async start(): Promise<void> {
    if (this.#thread.runs === 0) await this.#thread.worker.start();
    this.#thread.runs += 1;
    this.on('message', (message: { type?: string } | undefined) => {
      if (message?.type === 'testfileFinished') this.#isRunning = false;
    });
  }

  override async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.off(event, listener);
    if (this.#canStay) idle = this.#thread;
    else await this.#thread.worker.stop();
  }

  get #canStay(): boolean {
    return !this.#isRunning && this.#thread.runs < MAX_RUNS && (idle === null || idle === this.#thread);
  }
}
