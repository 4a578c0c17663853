import { useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { LIST } from './route.ts';
import { chooseTheme, chosenTheme, THEMES } from './theme.ts';
import { Icon, Logo } from './ui/icons.tsx';

const PICTURES = { system: 'system', light: 'sun', dark: 'moon' };
export function TopBar({ isReadOnly, onSignOut }) {
  const [theme, setTheme] = useState(chosenTheme);
  const next = () => {
    const following = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
    chooseTheme(following);
    setTheme(following);
  };
  return _jsxs('header', {
    class: 'top-bar',
    children: [
      _jsx('button', { type: 'button', class: 'skip', onClick: focusMain, children: 'Skip to content' }),
      _jsxs('a', {
        class: 'brand',
        href: LIST,
        children: [_jsx(Logo, {}), _jsx('span', { children: 'Embed Gateway' })],
      }),
      isReadOnly &&
        _jsx('span', {
          class: 'badge',
          title: 'This token has the scope read only: it may look, not change.',
          children: 'Read-only token',
        }),
      _jsxs('nav', {
        'aria-label': 'API',
        children: [
          _jsx('a', { class: 'button ghost small', href: '/docs', children: 'REST' }),
          _jsx('a', { class: 'button ghost small', href: '/graphql', children: 'GraphQL' }),
        ],
      }),
      _jsx('button', {
        type: 'button',
        class: 'button ghost icon-only',
        'aria-label': `Theme: ${theme}`,
        title: `Theme: ${theme}`,
        onClick: next,
        children: _jsx(Icon, { name: PICTURES[theme] }),
      }),
      _jsx('button', { type: 'button', class: 'button small', onClick: onSignOut, children: 'Sign out' }),
    ],
  });
}
function focusMain() {
  document.getElementById('main')?.focus();
}
