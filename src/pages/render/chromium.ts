import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createDevtools, type Devtools, type Transport } from './devtools.ts';

/** A Chromium on this machine, or the WebSocket of a remote one. */
export type BrowserSource =
  | { readonly kind: 'local'; readonly path: string; readonly hasSandbox: boolean }
  | { readonly kind: 'remote'; readonly url: string };

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

const EXECUTABLES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A machine that starts Chromium for the first time reads 300 MB. */
const START_TIMEOUT_MS = 20_000;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_OUTPUT_LENGTH = 4_000;

/**
 * A proxy whose name does not resolve, also for loopback addresses: what is not answered by the service fails before it
 * reaches the network.
 */
export const DEAD_PROXY = { proxyServer: 'http://off.invalid:1', proxyBypassList: '<-loopback>' };

const CUT_OFF = [
  `--proxy-server=${DEAD_PROXY.proxyServer}`,
  `--proxy-bypass-list=${DEAD_PROXY.proxyBypassList}`,
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--metrics-recording-only',
  '--disable-features=AsyncDns,AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,InterestFeedContentSuggestions,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,Prerender2,Translate,WebRtcHideLocalIpsWithMdns,WebUIOmniboxPopup',
];

const QUIET = [
  '--headless',
  '--no-first-run',
  '--no-default-browser-check',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-notifications',
  '--disable-speech-api',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  '--blink-settings=imagesEnabled=false',
  '--js-flags=--max-old-space-size=512',
];

/**
 * Finds the browser of a setting: `auto`, `off`, a path or a WebSocket URL. Returns the reason if there is none. As root
 * Chromium has no sandbox, so that `auto` then finds a browser only if `hasSandbox` is false.
 */
export function findBrowser(setting: string, hasSandbox: boolean): BrowserSource | { readonly reason: string } {
  if (setting === 'off') return { reason: 'RENDERER is off' };
  if (/^wss?:/.test(setting)) return { kind: 'remote', url: setting };
  const path = setting === 'auto' ? EXECUTABLES.find((candidate) => existsSync(candidate)) : setting;
  if (path === undefined) return { reason: 'no Chromium is installed in a usual place' };
  if (hasSandbox && process.getuid?.() === 0) return { reason: `as root, ${path} has no sandbox` };
  return { kind: 'local', path, hasSandbox };
}

/** Starts a browser, or connects to a remote one. Rejects with a reason for the log. */
export function openBrowser(source: BrowserSource): Promise<Browser> {
  return source.kind === 'local' ? launch(source.path, source.hasSandbox) : connect(source.url);
}

/**
 * Launches Chromium with its protocol on a pipe. A port, even on loopback, would be open to every user of the machine, and
 * the end of a pipe also ends a browser whose service was killed.
 */
async function launch(path: string, hasSandbox: boolean): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'embed-gateway-chromium-'));
  const sandbox = hasSandbox ? [] : ['--no-sandbox'];
  const own = ['--remote-debugging-pipe', `--user-data-dir=${folder}`];
  const child = spawn(path, [...QUIET, ...CUT_OFF, ...sandbox, ...own], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // a process group of its own, so that all its processes can be measured and killed
    detached: true,
    // keeps the secrets in the environment away from the pages
    env: { HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_OUTPUT_LENGTH);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  }).then(() => {
    killGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  const close = async () => {
    killGroup(child);
    await ended;
  };
  const devtools = createDevtools(createPipe(child));
  try {
    const { product } = await withinStartTimeout(devtools.send('Browser.getVersion'));
    return { devtools, product: String(product), ended, measureBytes: () => measureGroup(child.pid ?? 0), close };
  } catch {
    await close();
    throw new Error(reasonOf(errorOutput) ?? 'Chromium did not start.');
  }
}

/** Returns the line of Chromium's output that tells most. */
function reasonOf(output: string): string | null {
  const lines = output.split('\n').map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim());
  return lines.find((line) => /sandbox/i.test(line)) ?? lines.findLast((line) => line !== '') ?? null;
}

function createPipe(child: ChildProcess): Transport {
  const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
  // the browser may end while the service writes
  input.on('error', () => {});
  output.on('error', () => {});
  return {
    send: (message) => void input.write(`${message}\0`),
    receive(onMessage, onClose) {
      let parts: Buffer[] = [];
      let length = 0;
      output.on('data', (chunk: Buffer) => {
        let start = 0;
        for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
          const message = Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
          parts = [];
          length = 0;
          start = end + 1;
          onMessage(message);
        }
        parts.push(chunk.subarray(start));
        length += chunk.length - start;
        if (length > MAX_MESSAGE_BYTES) killGroup(child);
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

/**
 * Sums the anonymous and shared memory of a process group on Linux. The proportional share (PSS) would be exact, but the
 * sandbox hides it from other processes.
 */
function measureGroup(group: number): number | null {
  if (process.platform !== 'linux') return null;
  let bytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // pid (name) state ppid pgrp …; the name may contain spaces and parentheses
      const [, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (Number(pgrp) !== group) continue;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      for (const [, kB] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) bytes += Number(kB) * 1024;
    } catch {
      // it has ended
    }
  }
  return bytes;
}

/** Connects to a remote browser: at a whole URL, or at the one that `/json/version` of its debugging port tells. */
async function connect(url: string): Promise<Browser> {
  const socket = new WebSocket(await withinStartTimeout(findWebSocketUrl(url)));
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('The remote browser does not answer.')));
  });
  const close = async () => {
    socket.close();
    await closed;
  };
  try {
    await withinStartTimeout(opened);
    const devtools = createDevtools({
      send: (message) => socket.send(message),
      receive(onMessage, onClose) {
        socket.addEventListener('message', ({ data }) => onMessage(String(data)));
        socket.addEventListener('close', onClose);
      },
    });
    const { product } = await withinStartTimeout(devtools.send('Browser.getVersion'));
    return { devtools, product: String(product), ended: closed, measureBytes: () => null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function findWebSocketUrl(text: string): Promise<string> {
  const url = new URL(text);
  if (url.pathname !== '/' || url.search !== '') return text;
  const versionUrl = new URL('/json/version', url);
  versionUrl.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  const response = await fetch(versionUrl);
  const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl?: string };
  if (!webSocketDebuggerUrl) return text;
  url.pathname = new URL(webSocketDebuggerUrl).pathname;
  return url.href;
}

async function withinStartTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, START_TIMEOUT_MS, new Error('The browser did not answer within 20 s.'));
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
