import type { CompletedRequest } from '../http/exchange.ts';

/** An observer of the running service: metrics or traces. It must not throw, and must not change what it observes. */
export interface Observer {
  /** Runs the work of a whole request. */
  request<T>(headers: Headers, work: () => Promise<T>): Promise<T>;
  /** Called at the end of that work. */
  completed(request: CompletedRequest): void;
  /** Called with the number of open streams when it changes. */
  streaming(open: number): void;
  /** Runs one operation on the database or the network, named like `store.embeds.find`. */
  operation<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Called with the outcome of a request for a page's article. */
  revalidated(outcome: string): void;
}

/** An object all of whose members are async functions. A synchronous member would silently become async by instrumentation. */
type AsyncFunctions<T> = { readonly [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/** Wraps each function of the object into an operation `<prefix>.<name>` of the observers. Without observers it returns the object itself. */
export function instrument<T extends AsyncFunctions<T>>(prefix: string, target: T, observers: readonly Observer[]): T {
  if (observers.length === 0) return target;
  const wrapped = Object.entries<(...args: never[]) => Promise<unknown>>(target).map(([name, member]) => [
    name,
    (...args: never[]) => observe(`${prefix}.${name}`, () => member.apply(target, args), observers),
  ]);
  return Object.fromEntries(wrapped) as T;
}

/** Nests the observers around the work; the last one is innermost. */
function observe(name: string, work: () => Promise<unknown>, observers: readonly Observer[]): Promise<unknown> {
  return observers.reduceRight((inner, observer) => () => observer.operation(name, inner), work)();
}

/** Runs the work of a whole request within the observers. */
export function instrumentRequest<T>(
  headers: Headers,
  work: () => Promise<T>,
  observers: readonly Observer[],
): Promise<T> {
  if (observers.length === 0) return work();
  return observers.reduceRight((inner, observer) => () => observer.request(headers, inner), work)();
}
