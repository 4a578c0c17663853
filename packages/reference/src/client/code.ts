import { EXAMPLE_ORIGIN } from '../origin.ts';

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

/** Adds a button to each block of code that copies its text. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, block.querySelector('code')?.textContent ?? ''));
    block.append(button);
  }
}

const SHOWN_MS = 1_500;

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}
