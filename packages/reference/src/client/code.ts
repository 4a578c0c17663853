import { copyText } from '../../../console/src/ui/copy-text.ts';
import { EXAMPLE_ORIGIN } from '../origin.ts';
import { keep, readKept } from './storage.ts';

/** Writes the address of this service into the examples, where it is another one. */
export function showActualOrigin(): void {
  if (location.origin === EXAMPLE_ORIGIN) return;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.nodeValue?.includes(EXAMPLE_ORIGIN)) {
      node.nodeValue = node.nodeValue.replaceAll(EXAMPLE_ORIGIN, location.origin);
    }
  }
}

/** Readers who let long lines wrap keep that for all pages. */
const WRAP_KEY = 'embed-gateway:wrap';

/** Adds buttons above each block of code: one copies its text, one lets its long lines wrap. */
export function addCodeTools(): void {
  const wraps: HTMLButtonElement[] = [];
  const setWrap = (isOn: boolean): void => {
    document.documentElement.toggleAttribute('data-wrap', isOn);
    for (const wrap of wraps) wrap.setAttribute('aria-pressed', String(isOn));
  };
  for (const block of document.querySelectorAll('.code')) {
    const pre = block.querySelector('pre');
    const tools = document.createElement('div');
    tools.className = 'code-tools';
    const copy = createCopyButton('Copy', () => block.querySelector('code')?.textContent ?? '');
    // a hidden sample has no width
    if (pre && (pre.scrollWidth > pre.clientWidth || pre.clientWidth === 0)) {
      const wrap = createButton('Wrap', () => {
        const isOn = wrap.getAttribute('aria-pressed') !== 'true';
        setWrap(isOn);
        keep(WRAP_KEY, isOn ? 'on' : 'off');
      });
      wraps.push(wrap);
      tools.append(wrap);
    }
    tools.append(copy);
    block.prepend(tools);
  }
  setWrap(readKept(WRAP_KEY) === 'on');
}

/** Adds a button that copies the page as Markdown, beside the link to it. */
export function addPageTools(): void {
  const link = document.querySelector<HTMLAnchorElement>('.page-tools a');
  if (link) link.before(createCopyButton('Copy page as Markdown', () => fetchText(link.href)));
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.text();
}

function createButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}

const SHOWN_MS = 1_500;

/** Creates a button that copies a text. Its label says for a while whether that worked. */
function createCopyButton(label: string, read: () => string | Promise<string>): HTMLButtonElement {
  let timer: ReturnType<typeof setTimeout>;
  const button = createButton(label, async () => {
    const isCopied = await copyLater(read()).catch(() => false);
    button.textContent = isCopied ? 'Copied' : 'Not copied';
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
  return button;
}

/** Copies a text that may still be loading. Safari accepts it only if the copy begins in the click. Firefox writes texts only, up to version 126. */
async function copyLater(text: string | Promise<string>): Promise<boolean> {
  if (typeof text === 'string' || !navigator.clipboard?.write) return copyText(await text);
  const blob = text.then((loaded) => new Blob([loaded], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  return true;
}
