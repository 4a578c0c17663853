const LANGUAGE_KEY = 'embed-gateway:language';

/** Chooses the language of the last visit, and remembers a choice. The buttons work by styles alone. */
export function keepLanguage(): void {
  const buttons = [...document.querySelectorAll<HTMLInputElement>('.languages input')];
  try {
    const kept = localStorage.getItem(LANGUAGE_KEY);
    const button = buttons.find(({ value }) => value === kept);
    if (button) button.checked = true;
  } catch {
    return;
  }
  for (const button of buttons) {
    button.addEventListener('change', () => localStorage.setItem(LANGUAGE_KEY, button.value));
  }
}
