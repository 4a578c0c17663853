const KEY = 'embed-gateway:theme';
/** `system` follows the setting of the machine. */
export const THEMES = ['system', 'light', 'dark'];
/** Storage throws where a browser keeps it from the page: then the choice lasts as long as the page. */
export function chosenTheme() {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}
export function chooseTheme(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {}
  applyTheme(theme);
}
export function applyTheme(theme = chosenTheme()) {
  document.documentElement.dataset.theme = theme;
}
