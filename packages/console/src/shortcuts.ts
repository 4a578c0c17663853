import { useEffect, useRef } from 'preact/hooks';

/** The shortcuts of the console, in the order of the help sheet. Keys that only the table handles come last. */
export const SHORTCUTS = [
  { keys: ['?'], label: 'Show the keyboard shortcuts' },
  { keys: ['Ctrl + K', '⌘ K'], label: 'Find embeds, pages and commands' },
  { keys: ['/'], label: 'Search' },
  { keys: ['f'], label: 'Filter' },
  { keys: ['n'], label: 'New embed' },
  { keys: ['i'], label: 'Import' },
  { keys: ['v'], label: 'Switch between cards and table' },
  { keys: ['j'], label: 'Next embed' },
  { keys: ['k'], label: 'Previous embed' },
  { keys: ['x'], label: 'Select the embed' },
  { keys: ['a'], label: 'Select all embeds that are shown' },
  { keys: ['c'], label: 'Clear the selection' },
  { keys: ['b'], label: 'Go to the actions for the selected embeds' },
  { keys: ['e'], label: 'Export the selected embeds' },
  { keys: ['Delete', '#'], label: 'Delete the selected embeds, or else the one with the focus' },
  { keys: ['u'], label: 'Undo the last deletion' },
] as const;

export const TABLE_SHORTCUTS = [
  { keys: ['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'], label: 'Move' },
  { keys: ['Space'], label: 'Select the row' },
  { keys: ['Shift + Space'], label: 'Select all rows from the last selected one to this one' },
  { keys: ['Shift + ↑', 'Shift + ↓'], label: 'Extend the selection' },
  { keys: ['Enter'], label: 'Open the embed' },
] as const;

export type ShortcutKey = (typeof SHORTCUTS)[number]['keys'][number];

const OFF_KEY = 'embed-gateway:shortcuts';

export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(OFF_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** For speech control and other software that types single letters (WCAG 2.1.4). */
export function turnShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF_KEY);
    else localStorage.setItem(OFF_KEY, 'off');
  } catch {}
}

/**
 * Calls the handler of a pressed key, unless the user is typing, a dialog is open, or a modifier other than Shift is
 * held. `?` works also when shortcuts are turned off.
 */
export function useShortcuts(handlers: Partial<Record<ShortcutKey, () => void>>, isActive = true): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (!isActive) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      const handle = latest.current[key as ShortcutKey];
      if (!handle || defaultPrevented || ctrlKey || metaKey || altKey || isTyping(event)) return;
      if (key !== '?' && !areShortcutsOn()) return;
      event.preventDefault();
      handle();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isActive]);
}

function isTyping({ target, isComposing }: KeyboardEvent): boolean {
  const field = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
  return (
    isComposing || (target instanceof Element && target.matches(field)) || !!document.querySelector('dialog[open]')
  );
}
