import { parseJson } from '../../../reader/src/json.ts';

/** Carries whole messages of the Chrome DevTools Protocol. */
export interface Transport {
  send(message: string): void;
  /** Called once. Messages that arrived before are delivered. */
  receive(onMessage: (message: string) => void, onClose: () => void): void;
}

export type Values = Readonly<Record<string, unknown>>;

export interface DevtoolsEvent {
  readonly method: string;
  readonly params: Values;
  /** The session of a target; undefined for the browser itself. */
  readonly sessionId: string | undefined;
}

export type Devtools = ReturnType<typeof createDevtools>;

export class DevtoolsError extends Error {}

export class BrowserEndedError extends DevtoolsError {
  constructor() {
    super('The browser ended.');
  }
}

/** The browser does not answer, such as when a page blocks its thread. It must then be ended. */
export class TimeoutError extends DevtoolsError {}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Values | null;
  readonly result?: Values | null;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** Creates the commands and events of a browser and, by session, of its targets. */
export function createDevtools(transport: Transport) {
  const pending = new Map<number, PromiseWithResolvers<Values>>();
  const listeners = new Set<(event: DevtoolsEvent) => void>();
  let lastId = 0;
  let isClosed = false;

  function receive(text: string): void {
    // a remote program may be no browser
    const { id, method, params, result, error, sessionId } = (parseJson(text) ?? {}) as Message;
    if (method !== undefined)
      for (const listener of [...listeners]) listener({ method, params: params ?? {}, sessionId });
    if (id === undefined) return;
    const command = pending.get(id);
    pending.delete(id);
    if (error) command?.reject(new DevtoolsError(error.message));
    else command?.resolve(result ?? {});
  }

  transport.receive(receive, () => {
    isClosed = true;
    for (const command of pending.values()) command.reject(new BrowserEndedError());
    pending.clear();
  });

  return {
    /** @throws {DevtoolsError} if the browser rejects the command, or ends */
    send(method: string, params: Values = {}, sessionId?: string): Promise<Values> {
      const command = Promise.withResolvers<Values>();
      if (isClosed) command.reject(new BrowserEndedError());
      else {
        const id = ++lastId;
        pending.set(id, command);
        transport.send(JSON.stringify({ id, method, params, sessionId }));
      }
      return command.promise;
    },
    /** Subscribes to all events. Returns the function that unsubscribes. */
    listen(onEvent: (event: DevtoolsEvent) => void) {
      listeners.add(onEvent);
      return () => listeners.delete(onEvent);
    },
  };
}

/** @throws {TimeoutError} */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeoutError(`no answer within ${timeoutMs / 1_000} s`)), timeoutMs);
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
