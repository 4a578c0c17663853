import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createDevtools, type Devtools, TimeoutError, type Transport, withinTime } from './devtools.ts';
import { FLAGS } from './flags.ts';
import { createBrowserFolder, LAUNCHER, removeBrowserFolder } from './folder.ts';
import { createMemoryMeter } from './memory.ts';

export interface Browser {
  readonly devtools: Devtools;
  /** Such as `Chrome/156.0.8078.79`. */
  readonly product: string;
  /** Resolves when the browser ended, or when its connection is lost. */
  readonly ended: Promise<void>;
  /** Returns the memory of its processes, or null if the system does not tell. */
  measureBytes(): number | null;
  /** Kills its processes, or closes the connection to a remote browser. */
  close(): Promise<void>;
}

/** A machine that starts Chromium for the first time reads 300 MB. */
export const START_TIMEOUT_MS = 20_000;
/** After its end. */
const LAST_OUTPUT_MS = 1_000;
/** In characters. */
const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;
const MAX_ERROR_OUTPUT_LENGTH = 4_000;
/** Of the output of a browser that did not start, if no line of it is marked as fatal. */
const REASON_LINES = 3;

/** Runs a command in a network namespace (Linux) without a device, not even loopback. */
const WITHOUT_NETWORK = ['unshare', '--user', '--map-current-user', '--net'];

/**
 * Launches Chromium without a network, or, where the system does not let ordinary users create namespaces, with flags that
 * lead its requests nowhere. Rejects with a reason for the log.
 */
export async function launchChromium(path: string, hasSandbox: boolean): Promise<Browser> {
  if (process.platform === 'linux') {
    try {
      return await launch([...WITHOUT_NETWORK, path], hasSandbox);
    } catch (error) {
      if (error instanceof TimeoutError) throw error;
    }
  }
  return launch([path], hasSandbox);
}

/**
 * Launches Chromium with its protocol on a pipe. A port, even on loopback, would be open to every user of the machine, and
 * the end of a pipe also ends a browser whose service was killed.
 */
async function launch(command: readonly string[], hasSandbox: boolean): Promise<Browser> {
  const folder = await createBrowserFolder();
  const sandbox = hasSandbox ? [] : ['--no-sandbox'];
  const own = ['--remote-debugging-pipe', `--user-data-dir=${folder}`];
  const child = spawn('/bin/sh', ['-c', LAUNCHER, folder, ...command, ...FLAGS, ...sandbox, ...own], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // a process group of its own, so that all its processes can be measured and killed
    detached: true,
    cwd: folder,
    // keeps the secrets in the environment away from the pages. Paths of sockets, which Chromium creates in TMPDIR, may have
    // 107 bytes, so that TMPDIR is the relative path of the folder.
    env: { HOME: folder, TMPDIR: '.', XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT_LENGTH);
  });
  const closed = new Promise<string>((resolve) => {
    child
      .once('exit', () => {
        killGroup(child);
        // a process outside of the group, such as Chromium's crash handler, may keep the output open
        setTimeout(() => child.stdio.forEach((stream) => void stream?.destroy()), LAST_OUTPUT_MS).unref();
      })
      // after the last line of its output
      .once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
      .once('error', ({ message }) => resolve(message));
  });
  // the next start tries again
  const ended = closed.then(() => removeBrowserFolder(folder)).catch(() => {});
  const close = async () => {
    killGroup(child);
    await ended;
  };
  const devtools = createDevtools(createPipe(child));
  try {
    const { product } = await withinTime(devtools.send('Browser.getVersion'), START_TIMEOUT_MS);
    return { devtools, product: String(product), ended, measureBytes: createMemoryMeter(child.pid ?? 0), close };
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw new Error(describeFailure(await closed, errorOutput));
    await close();
    throw new TimeoutError(describeFailure(error.message, errorOutput));
  } finally {
    // nobody reads it later
    errorOutput = '';
  }
}

/** Returns how a start failed, with the fatal line of Chromium's output, or its last lines. */
function describeFailure(how: string, output: string): string {
  // the messages of the crash handler and of the message bus are about neither
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^\[[^\]]*:.*(crashpad|dbus)\//.test(line));
  const fatal = lines.find((line) => /^\[[^\]]*:FATAL:/.test(line));
  const reason = (fatal ? [fatal] : lines.slice(-REASON_LINES))
    .map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim())
    .join(' ');
  return `Chromium did not start (${how})${reason === '' ? '.' : `: ${reason}`}`;
}

function createPipe(child: ChildProcess): Transport {
  const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
  // the browser may end while the service writes
  input.on('error', () => {});
  output.on('error', () => {});
  return {
    send: (message) => void input.write(`${message}\0`),
    receive(onMessage, onClose) {
      let rest = '';
      output.setEncoding('utf8').on('data', (text: string) => {
        const [end = '', ...others] = text.split('\0');
        const messages = [rest + end, ...others];
        rest = messages.pop() ?? '';
        for (const message of messages) onMessage(message);
        if (rest.length > MAX_MESSAGE_LENGTH) killGroup(child);
      });
      output.on('close', onClose);
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
