/** What one request has been by the time that it is answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path that answered, with placeholders where it varies; undefined where nothing did. */
  readonly routeName: string | undefined;
  /** Why it was refused, when it was. */
  readonly refusalCode: string | undefined;
  readonly requestId: string;
  readonly status: number;
  readonly seconds: number;
}

/** Somebody who looks on while the service works: metrics, traces. Must not throw, and must not change what it sees. */
export interface Observer {
  /** Runs the work of a whole request. */
  request<T>(headers: Headers, work: () => Promise<T>): Promise<T>;
  /** Told of a request at the end of that work. */
  answered(request: AnsweredRequest): void;
  /** Told how many streams are open, when that changes. */
  streaming(open: number): void;
  /** Runs one operation on something outside of the process, named as in `store.embeds.find`. */
  operation<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Told of what a look at a page came to. */
  revalidated(outcome: string): void;
}

/** The same object, with its functions watched. Nothing is wrapped where nobody looks on. */
export function instrument<T extends object>(room: string, target: T, watches: readonly Observer[]): T {
  if (watches.length === 0) return target;
  const entries = Object.entries(target).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const call = (...args: unknown[]) => watchedCall(`${room}.${name}`, () => member.apply(target, args), watches);
    return [name, call];
  });
  return Object.fromEntries(entries) as T;
}

/** Nests the watches around a call: the last one is nearest to it. */
function watchedCall(name: string, call: () => Promise<unknown>, watches: readonly Observer[]): Promise<unknown> {
  return watches.reduceRight((work, watch) => () => watch.operation(name, work), call)();
}

/** The work of a whole request, watched. */
export function instrumentRequest<T>(
  headers: Headers,
  work: () => Promise<T>,
  watches: readonly Observer[],
): Promise<T> {
  if (watches.length === 0) return work();
  return watches.reduceRight((inner, watch) => () => watch.request(headers, inner), work)();
}
