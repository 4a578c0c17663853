/** Sends and receives whole messages of the Chrome DevTools Protocol. */
export interface Transport {
  send(message: string): void;
  close(): void;
  onMessage: (message: string) => void;
  onClose: () => void;
}

export type Params = Readonly<Record<string, unknown>>;

export interface DevtoolsEvent {
  readonly method: string;
  readonly params: Params;
  /** The session of a target; undefined for the browser itself. */
  readonly sessionId: string | undefined;
}

/** Commands and events of a browser and, by session, of its targets. */
export interface Devtools {
  /** Sends a command. Rejects if the browser refuses it, or if the connection is closed. */
  send(method: string, params?: Params, sessionId?: string): Promise<Params>;
  /** Receives each event. Returns a function that ends this. */
  listen(onEvent: (event: DevtoolsEvent) => void): () => void;
  close(): void;
}

export class DevtoolsError extends Error {}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

export function connectDevtools(transport: Transport): Devtools {
  const pending = new Map<number, PromiseWithResolvers<Params>>();
  const listeners = new Set<(event: DevtoolsEvent) => void>();
  let lastId = 0;
  let isClosed = false;

  transport.onMessage = (text) => {
    const { id, method, params = {}, result = {}, error, sessionId } = JSON.parse(text) as Message;
    if (id === undefined) {
      if (method !== undefined) for (const listener of [...listeners]) listener({ method, params, sessionId });
      return;
    }
    const command = pending.get(id);
    pending.delete(id);
    if (error) command?.reject(new DevtoolsError(error.message));
    else command?.resolve(result);
  };
  transport.onClose = () => {
    isClosed = true;
    for (const command of pending.values()) command.reject(new DevtoolsError('The browser ended.'));
    pending.clear();
  };

  return {
    send(method, params = {}, sessionId) {
      if (isClosed) return Promise.reject(new DevtoolsError('The browser ended.'));
      const command = Promise.withResolvers<Params>();
      const id = ++lastId;
      pending.set(id, command);
      transport.send(JSON.stringify({ id, method, params, sessionId }));
      return command.promise;
    },
    listen(onEvent) {
      listeners.add(onEvent);
      return () => listeners.delete(onEvent);
    },
    close: transport.close,
  };
}
