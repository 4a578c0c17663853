import { Provider } from '@urql/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { followOtherTabs } from './api/other-tabs.ts';
import { findSession, type Session, signOut, switchAccount } from './api/session.ts';
import { AppShell } from './app-shell.tsx';
import type { Drafts } from './editor/draft.ts';
import { focusListIfLost } from './list/list-head.tsx';
import { forgetLastList, goTo, LIST } from './route.ts';
import { SignIn } from './sign-in.tsx';

/** The root component. Drafts live here, so that they survive signing in again after the session has ended. */
export function Console() {
  const drafts = useMemo<Drafts>(() => new Map(), []);
  const [reason, setReason] = useState<string | null>(null);
  /** Undefined until it is known whether there is one, and while it is being ended. */
  const [session, setSession] = useState<Session | null>();

  const otherTabs = useRef<ReturnType<typeof followOtherTabs> | null>(null);
  useEffect(() => {
    const open = () => void findSession(end).then(setSession);
    otherTabs.current = followOtherTabs({ onSignIn: open, onSignOut: () => erase('You signed out in another tab.') });
    open();
    return () => otherTabs.current?.close();
  }, []);

  function end(message: string, id: number): void {
    setReason(`You were signed out. ${message}`);
    setSession((current) => (current?.id === id ? null : current));
  }

  function begin(opened: Session): void {
    setSession(opened);
    otherTabs.current?.tell('sign-in');
    // the form or the menu had the focus
    requestAnimationFrame(focusListIfLost);
  }

  /** Forgets all data of the account: the cache goes with the session. */
  function erase(message: string | null): void {
    drafts.clear();
    forgetLastList();
    goTo(LIST);
    setReason(message);
    setSession(null);
  }

  /** Ends the session after the shell has sent the deletions that wait. The form to sign in means that it has ended. */
  function leave(): void {
    erase('Signing out…');
    setSession(undefined);
    setTimeout(async () => {
      const fault = await signOut();
      setReason(fault && `This browser is still signed in. ${fault.message}`);
      setSession(null);
      if (!fault) otherTabs.current?.tell('sign-out');
    });
  }

  async function changeAccount(account: string): Promise<void> {
    const result = await switchAccount(account, end);
    if (result && !('client' in result)) return erase(result.message);
    erase(null);
    if (result) begin(result);
  }

  if (session === undefined) {
    return (
      <main class="sign-in">
        <p role="status">{reason}</p>
      </main>
    );
  }
  if (session === null) return <SignIn reason={reason} hasDrafts={drafts.size > 0} onSignedIn={begin} onEnd={end} />;
  return (
    <Provider value={session.client}>
      <AppShell key={session.id} session={session} drafts={drafts} onSwitch={changeAccount} onSignOut={leave} />
    </Provider>
  );
}
