import { keep, readKept } from './storage.ts';

const LANGUAGE_KEY = 'embed-gateway:language';

/** Chooses the language of the last visit, and remembers a choice. The buttons work by styles alone. */
export function keepLanguage(): void {
  const buttons = [...document.querySelectorAll<HTMLInputElement>('.languages input')];
  const kept = readKept(LANGUAGE_KEY);
  for (const button of buttons) {
    if (button.value === kept) button.checked = true;
    button.addEventListener('change', () => keep(LANGUAGE_KEY, button.value));
  }
}
