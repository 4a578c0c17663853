import { setTimeout as pause } from 'node:timers/promises';
import { BrowserEndedError, type Devtools, TimeoutError, type Values, withinTime } from './devtools.ts';
import type { OpenPage } from './page-scripts.ts';

/** A page that blocks its own thread is given up. */
const COMMAND_TIMEOUT_MS = 5_000;
/** Higher than a screen, so that pages also build what is far below. */
export const VIEWPORT = { width: 1_280, height: 6_000, deviceScaleFactor: 1, mobile: false };
const SMALL_VIEWPORT = { ...VIEWPORT, height: 100 };
/** For observers of what becomes visible. */
const BLINK_MS = 60;

/** Sends a command to a target. If the target has ended, the command fails, which changes nothing. */
export type TrySend = (method: string, params: Values, to: string) => Promise<void>;

export function createTrySend(devtools: Devtools): TrySend {
  return async (method, params, to) => {
    await devtools.send(method, params, to).catch(() => {});
  };
}

interface ControlledPage {
  readonly session: string;
  readonly frameId: string;
}

interface PageControl extends Pick<OpenPage, 'evaluate' | 'click' | 'blink'> {
  /** Moves the mouse over the page. */
  move(): Promise<void>;
}

/** Creates what does with an open page as a reader would, and runs scripts in it. */
export function createPageControl(
  devtools: Devtools,
  trySend: TrySend,
  { session, frameId }: ControlledPage,
): PageControl {
  /** Shows less than a screen of the page, and then as much as before. */
  async function blink(): Promise<void> {
    for (const viewport of [SMALL_VIEWPORT, VIEWPORT]) {
      await withinTime(trySend('Emulation.setDeviceMetricsOverride', viewport, session), COMMAND_TIMEOUT_MS);
      await pause(BLINK_MS);
    }
  }

  function sendMouse(event: Values): Promise<void> {
    return withinTime(trySend('Input.dispatchMouseEvent', event, session), COMMAND_TIMEOUT_MS);
  }

  async function move(): Promise<void> {
    for (const x of [200, 210]) await sendMouse({ type: 'mouseMoved', x, y: 200 });
  }

  /** Clicks as a reader does: scripts can tell other clicks from it. */
  async function click(findPlace: string): Promise<boolean> {
    const place = await evaluate<{ readonly x: number; readonly y: number }>(findPlace);
    if (place === null) return false;
    for (const type of ['mousePressed', 'mouseReleased'])
      await sendMouse({ type, ...place, button: 'left', clickCount: 1 });
    return true;
  }

  async function evaluate<Result>(expression: string): Promise<Result | null> {
    try {
      const world = { frameId, worldName: 'embed-gateway' };
      const { executionContextId: contextId } = await withinTime(
        devtools.send('Page.createIsolatedWorld', world, session),
        COMMAND_TIMEOUT_MS,
      );
      const run = { expression, contextId, returnByValue: true };
      const { result } = await withinTime(devtools.send('Runtime.evaluate', run, session), COMMAND_TIMEOUT_MS);
      return (result as { readonly value?: Result }).value ?? null;
    } catch (error) {
      if (error instanceof TimeoutError || error instanceof BrowserEndedError) throw error;
      return null;
    }
  }

  return { evaluate, click, blink, move };
}
