import { useState } from 'preact/hooks';
import { LIST } from './route.ts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts';
import { Icon, type IconName, Logo } from './ui/icons.tsx';

const PICTURES: Readonly<Record<Theme, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

interface Props {
  readonly isReadOnly: boolean;
  readonly onSignOut: () => void;
}

export function TopBar({ isReadOnly, onSignOut }: Props) {
  const [theme, setTheme] = useState(chosenTheme);
  const next = () => {
    const following = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    chooseTheme(following);
    setTheme(following);
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
        <span class="badge" title="This token has the scope read only: it may look, not change.">
          Read-only token
        </span>
      )}
      <nav aria-label="API">
        <a class="button ghost small" href="/docs">
          REST
        </a>
        <a class="button ghost small" href="/graphql">
          GraphQL
        </a>
      </nav>
      <button
        type="button"
        class="button ghost icon-only"
        aria-label={`Theme: ${theme}`}
        title={`Theme: ${theme}`}
        onClick={next}
      >
        <Icon name={PICTURES[theme]} />
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
