import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './api/session.ts';
import { capitalise } from './list/embed-view-model.ts';
import { ACCOUNT } from './route.ts';
import { readTheme, storeTheme, THEME_ICONS, THEMES } from './theme.ts';
import { Icon } from './ui/icons.tsx';

interface Props {
  readonly session: Session;
  readonly onHelp: () => void;
  readonly onSwitch: (account: string) => void;
  readonly onSignOut: () => void;
}

/** The account and the person or token of the session, the other accounts of the person, the theme, the shortcuts, and the way out. A native popover, which closes on Escape. */
export function AccountMenu({ session: { viewer, canAdminister }, onHelp, onSwitch, onSignOut }: Props) {
  const menu = useRef<HTMLElement>(null);
  const [theme, setTheme] = useState(readTheme);
  const [isOpen, setOpen] = useState(false);
  const account = viewer?.accountId ?? 'Account';
  useEffect(() => {
    const element = menu.current;
    const close = () => element?.hidePopover();
    const onToggle = (event: Event) => setOpen((event as ToggleEvent).newState === 'open');
    element?.addEventListener('toggle', onToggle);
    addEventListener('hashchange', close);
    return () => {
      element?.removeEventListener('toggle', onToggle);
      removeEventListener('hashchange', close);
    };
  }, []);
  return (
    <>
      <button
        type="button"
        class="button ghost account"
        aria-label={`Account ${account}`}
        aria-expanded={isOpen}
        onClick={() => menu.current?.togglePopover()}
      >
        <span aria-hidden="true">{account.charAt(0).toUpperCase()}</span>
      </button>
      <section ref={menu} class="account-menu" popover="auto" aria-label="Account">
        {viewer && (
          <div class="account-facts">
            <b>{account}</b>
            <p>
              {viewer.person?.name ?? `Token ${viewer.tokenName ? `“${viewer.tokenName}”` : 'of the operator'}`}:{' '}
              {viewer.scopes.join(', ').toLowerCase()}
            </p>
          </div>
        )}
        {viewer?.person?.accounts
          .filter((other) => other !== account)
          .map((other) => (
            <button key={other} type="button" class="button ghost" onClick={() => onSwitch(other)}>
              <Icon name="reader" />
              Switch to {other}
            </button>
          ))}
        <fieldset class="segments" aria-label="Theme">
          {THEMES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={theme === each}
              onClick={() => {
                storeTheme(each);
                setTheme(each);
              }}
            >
              <Icon name={THEME_ICONS[each]} />
              {capitalise(each)}
            </button>
          ))}
        </fieldset>
        {canAdminister && (
          <a class="button ghost" href={ACCOUNT}>
            <Icon name="sliders" />
            Account settings
          </a>
        )}
        <button
          type="button"
          class="button ghost"
          aria-keyshortcuts="?"
          onClick={() => {
            menu.current?.hidePopover();
            onHelp();
          }}
        >
          <Icon name="keyboard" />
          Keyboard shortcuts
        </button>
        <button type="button" class="button ghost" onClick={onSignOut}>
          <Icon name="leave" />
          Sign out
        </button>
      </section>
    </>
  );
}
