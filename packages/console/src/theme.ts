import type { IconName } from './ui/icons.tsx';

const THEME_KEY = 'embed-gateway:theme';

/** `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_ICONS: Readonly<Record<Theme, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

/** Reads the stored theme. Storage throws where the browser blocks it: the choice then lasts until the page is reloaded. */
export function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(THEME_KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {}
  applyTheme(theme);
}

export function applyTheme(theme: Theme = readTheme()): void {
  document.documentElement.dataset.theme = theme;
}
