import type { Awaitable } from '../awaitable.ts';
import type { CompletedRequest, RequestHeaders } from '../http/exchange.ts';

/** Metrics or traces. An observer must not throw, nor change the results of the work that it runs. */
export interface Observer {
  request<T>(headers: RequestHeaders, work: () => Awaitable<T>): Awaitable<T>;
  requestCompleted(request: CompletedRequest): void;
  openStreamsChanged(count: number): void;
  /** @param name such as `store.embeds.find` */
  operation<T>(name: string, work: () => Awaitable<T>): Awaitable<T>;
  /** Called with the outcome of each page lookup and page fetch. */
  revalidated(outcome: string): void;
  rendering(event: RenderingEvent): void;
  purged(event: PurgedEvent): void;
  /** Called with the workers of a cluster, by `host:port`: true for one that answers. */
  databaseNodesChecked(states: ReadonlyMap<string, boolean>): void;
}

/** Purges of a CDN that ended in the same way. */
interface PurgedEvent {
  readonly result: string;
  readonly count: number;
}

/** An event of the browser that renders pages. */
type RenderingEvent =
  | { readonly kind: 'rendered'; readonly result: string; readonly seconds: number }
  | { readonly kind: 'refused' | 'ended'; readonly reason: string }
  | { readonly kind: 'started' | 'unavailable' };

/** Rejects objects with other members: an observer may make a result a promise. */
type AsyncFunctions<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: never[]) => infer Result
    ? Promise<Awaited<Result>> extends Result
      ? T[Name]
      : never
    : never;
};

/** Wraps each function into an operation `<prefix>.<name>` of the observers. Without observers it returns the object itself. */
export function instrument<T extends AsyncFunctions<T>>(prefix: string, target: T, observers: readonly Observer[]): T {
  if (observers.length === 0) return target;
  const wrapped = Object.entries<(...args: never[]) => unknown>(target).map(([name, member]) => [
    name,
    (...args: never[]) => {
      const nest = (inner: () => unknown, observer: Observer) => () => observer.operation(`${prefix}.${name}`, inner);
      return observers.reduceRight(nest, () => member.apply(target, args))();
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}

export function instrumentRequest<T>(
  headers: RequestHeaders,
  work: () => Awaitable<T>,
  observers: readonly Observer[],
): Awaitable<T> {
  if (observers.length === 0) return work();
  return observers.reduceRight((inner, observer) => () => observer.request(headers, inner), work)();
}
