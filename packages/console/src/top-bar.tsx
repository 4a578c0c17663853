import { useState } from 'preact/hooks';
import { ACTIVITY, LIST, type Route, TOKENS } from './route.ts';
import { Icon, type IconName, Logo } from './ui/icons.tsx';

const THEME_KEY = 'embed-gateway:theme';

/** `system` follows the operating system. */
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const THEME_ICONS: Readonly<Record<Theme, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

interface Props {
  readonly isReadOnly: boolean;
  readonly canAdminister: boolean;
  readonly view: Route['view'];
  readonly onHelp: () => void;
  readonly onSignOut: () => void;
}

export function TopBar({ isReadOnly, canAdminister, view, onHelp, onSignOut }: Props) {
  const [theme, setTheme] = useState(readTheme);
  const cycleTheme = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    storeTheme(next);
    setTheme(next);
  };
  return (
    <header class="top-bar">
      <button type="button" class="skip" onClick={focusMain}>
        Skip to content
      </button>
      <a class="brand" href={LIST}>
        <Logo />
        <span>Embed Gateway</span>
      </a>
      {isReadOnly && (
        <span class="badge" title="This token does not have the scope “write”: it cannot change embeds.">
          Read-only token
        </span>
      )}
      {canAdminister && (
        <nav aria-label="Account">
          <a class="button ghost small" href={TOKENS} aria-current={view === 'tokens' ? 'page' : undefined}>
            <Icon name="key" />
            Tokens
          </a>
          <a class="button ghost small" href={ACTIVITY} aria-current={view === 'activity' ? 'page' : undefined}>
            <Icon name="clock" />
            Activity
          </a>
        </nav>
      )}
      <nav class="api-links" aria-label="API">
        <a class="button ghost small" href="/docs">
          Docs
        </a>
        <a class="button ghost small" href="/graphql">
          GraphQL
        </a>
      </nav>
      <button
        type="button"
        class="button ghost icon-only help"
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={onHelp}
      >
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        class="button ghost icon-only"
        aria-label={`Theme: ${theme}`}
        title={`Theme: ${theme}`}
        onClick={cycleTheme}
      >
        <Icon name={THEME_ICONS[theme]} />
      </button>
      <button type="button" class="button small" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  );
}

function focusMain(): void {
  document.getElementById('main')?.focus();
}

/** Reads the stored theme. Storage throws where the browser blocks it: the choice then lasts until the page is reloaded. */
function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(THEME_KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {}
  applyTheme(theme);
}

export function applyTheme(theme: Theme = readTheme()): void {
  document.documentElement.dataset.theme = theme;
}
