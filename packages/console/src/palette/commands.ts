import { useEffect, useRef } from 'preact/hooks';
import { hasGraphiql, type Session } from '../api/session.ts';
import { ACCOUNT, ACTIVITY, goTo, IMPORT, LIST, NEW, TOKENS, WEBHOOKS } from '../route.ts';
import { storeTheme, THEME_ICONS, THEMES } from '../theme.ts';
import type { Command } from './palette.tsx';

interface Actions {
  readonly help: () => void;
  readonly signOut: () => void;
}

/** Returns the pages and actions that the token allows. */
export function commandsOf({ canWrite, canAdminister }: Session, { help, signOut }: Actions): readonly Command[] {
  const page = (icon: Command['icon'], label: string, href: string, words = '') => {
    return { icon, label, words, run: () => goTo(href) };
  };
  const link = (label: string, path: string, words: string): Command => {
    return { icon: 'open', label, words, run: () => location.assign(path) };
  };
  return [
    ...(canWrite
      ? [
          { ...page('plus', 'New embed', NEW, 'create add'), shortcut: 'n' },
          { ...page('upload', 'Import', IMPORT, 'csv'), shortcut: 'i' },
        ]
      : []),
    page('cards', 'Embeds', LIST, 'list all'),
    ...(canAdminister
      ? [
          page('key', 'Tokens', TOKENS),
          page('clock', 'Activity', ACTIVITY, 'audit log'),
          page('webhook', 'Webhooks', WEBHOOKS, 'events deliveries'),
          page('sliders', 'Account settings', ACCOUNT, 'sites look'),
        ]
      : []),
    link('Docs', '/docs', 'reference guides api help'),
    ...(hasGraphiql ? [link('GraphQL', '/graphql', 'graphiql api')] : []),
    ...THEMES.map((theme): Command => {
      return { icon: THEME_ICONS[theme], label: `Theme: ${theme}`, words: 'mode', run: () => storeTheme(theme) };
    }),
    { icon: 'keyboard', label: 'Keyboard shortcuts', words: 'help keys', shortcut: '?', run: help },
    { icon: 'leave', label: 'Sign out', words: 'log leave', run: signOut },
  ];
}

/** Calls the function on Ctrl-K, or ⌘K, also while the user types in a field. */
export function usePaletteKey(open: () => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) latest.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
