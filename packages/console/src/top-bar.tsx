import { AccountMenu } from './account-menu.tsx';
import { hasGraphiql, type Session } from './api/session.ts';
import { ACTIVITY, hrefOfLastList, LIST, type Route, TOKENS, WEBHOOKS } from './route.ts';
import { Icon, Logo } from './ui/icons.tsx';

interface Props {
  readonly session: Session;
  readonly view: Route['view'];
  readonly onSearch: () => void;
  readonly onHelp: () => void;
  readonly onSwitch: (account: string) => void;
  readonly onSignOut: () => void;
}

const PAGES = [
  { view: 'tokens', href: TOKENS, label: 'Tokens' },
  { view: 'activity', href: ACTIVITY, label: 'Activity' },
  { view: 'webhooks', href: WEBHOOKS, label: 'Webhooks' },
] as const;

export function TopBar({ session, view, onSearch, ...menu }: Props) {
  const { canWrite, canAdminister, viewer } = session;
  const isOfAccount = view === 'account' || PAGES.some((page) => page.view === view);
  return (
    <header class="top-bar">
      <button type="button" class="skip" onClick={focusMain}>
        Skip to content
      </button>
      <a class="brand" href={LIST} aria-label="Embed Gateway">
        <Logo />
        <span aria-hidden="true">Embed Gateway</span>
      </a>
      <nav aria-label="Console">
        <a href={hrefOfLastList()} aria-current={isOfAccount ? undefined : view === 'list' ? 'page' : 'true'}>
          Embeds
        </a>
        {canAdminister &&
          PAGES.map((page) => (
            <a key={page.view} href={page.href} aria-current={page.view === view ? 'page' : undefined}>
              {page.label}
            </a>
          ))}
        <span class="divider" aria-hidden="true" />
        <a href="/docs">Docs</a>
        {hasGraphiql && <a href="/graphql">GraphQL</a>}
      </nav>
      {!canWrite && (
        <span class="badge" title="Without the scope “write”, embeds cannot be changed.">
          {viewer?.person ? 'Viewer' : 'Read-only token'}
        </span>
      )}
      <button type="button" class="button palette-button" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <Icon name="search" />
        <span>Go to…</span>
        <kbd>{/^Mac/.test(navigator.platform) ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <AccountMenu session={session} {...menu} />
    </header>
  );
}

function focusMain(): void {
  document.getElementById('main')?.focus();
}
