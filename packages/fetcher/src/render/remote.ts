import { type Browser, START_TIMEOUT_MS } from './chromium.ts';
import { createDevtools, withinTime } from './devtools.ts';

/** A browser that is frozen does not close its end: the connection counts as closed after this time. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Connects to a remote browser: at a whole URL, or at the one that `/json/version` of its debugging port tells. */
export async function connectToBrowser(url: string): Promise<Browser> {
  const socket = new WebSocket(await withinTime(findWebSocketUrl(url), START_TIMEOUT_MS));
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  socket.addEventListener('close', () => end());
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('The remote browser does not answer.')));
  });
  const close = async () => {
    socket.close();
    await withinTime(closed, CLOSE_TIMEOUT_MS).catch(() => {});
    end();
  };
  try {
    await withinTime(opened, START_TIMEOUT_MS);
    const devtools = createDevtools({
      send: (message) => socket.send(message),
      receive(onMessage, onClose) {
        socket.addEventListener('message', ({ data }) => onMessage(String(data)));
        void closed.then(onClose);
      },
    });
    const { product } = await withinTime(devtools.send('Browser.getVersion'), START_TIMEOUT_MS);
    return { devtools, product: String(product), ended: closed, measureBytes: () => null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function findWebSocketUrl(text: string): Promise<string> {
  const url = new URL(text);
  if (url.pathname !== '/' || url.search !== '' || url.username !== '' || url.password !== '') return text;
  const versionUrl = new URL('/json/version', url);
  versionUrl.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  const response = await fetch(versionUrl);
  const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl?: string };
  if (!webSocketDebuggerUrl) return text;
  url.pathname = new URL(webSocketDebuggerUrl).pathname;
  return url.href;
}
