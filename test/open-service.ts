import { onTestFinished } from 'vitest';
import type { App } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { reply } from '../src/http/reply.ts';
import { type Listener, listen, type Timeouts } from '../src/http/server/listen.ts';
import { NO_TELEMETRY } from '../src/telemetry/telemetry.ts';
import { openApp, share, type TestApp } from './open-app.ts';
import type { RegisterCleanup } from './temporary-folder.ts';

export interface Service extends TestApp {
  readonly listener: Listener;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
}

type Overrides = Partial<Config>;

/**
 * Opens the app behind a listener on a free port.
 * @param overrides settings, or a function that returns them for the port
 */
export async function openService(
  overrides: Overrides | ((port: number) => Overrides) = {},
  telemetry = NO_TELEMETRY,
  timeouts: Partial<Timeouts> = {},
  registerCleanup: RegisterCleanup = onTestFinished,
): Promise<Service> {
  let handle: App['handle'] = async () => reply(null, { status: 503 });
  const listener = await listen({ port: 0, host: '127.0.0.1', handle: (request) => handle(request), timeouts });
  const settings = typeof overrides === 'function' ? overrides(listener.port) : overrides;
  const service = await openApp(settings, telemetry, undefined, registerCleanup);
  handle = service.app.handle;
  registerCleanup(() => {
    service.app.endSubscriptions();
    return listener.close(0);
  });
  return { ...service, listener, origin: `http://127.0.0.1:${listener.port}` };
}

/** Opens one service for all tests of a file; see {@link share}. */
export function shareService(overrides: Overrides = {}): Service {
  return share((registerCleanup) => openService(overrides, NO_TELEMETRY, {}, registerCleanup));
}
