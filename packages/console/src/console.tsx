import { Provider } from '@urql/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { followOtherTabs } from './api/other-tabs.ts';
import { findSession, type Session, signOut, switchAccount } from './api/session.ts';
import { AppShell } from './app-shell.tsx';
import type { Drafts } from './editor/draft.ts';
import { focusViewIfLost } from './list/list-head.tsx';
import { forgetLastList, goTo, LIST } from './route.ts';
import { SignIn } from './sign-in.tsx';

/** The root component. Drafts live here, so that they survive signing in again after the session has ended. */
export function Console() {
  const drafts = useMemo<Drafts>(() => new Map(), []);
  const [reason, setReason] = useState<string | null>(null);
  /** Undefined until it is known whether there is one, and while it is being ended. */
  const [session, setSession] = useState<Session | null>();

  /** The account of the last session, which the drafts belong to. */
  const lastAccount = useRef<string | null>(null);
  const otherTabs = useRef<ReturnType<typeof followOtherTabs> | null>(null);
  useEffect(() => {
    const open = async () => show(await findSession(end));
    const onSignOut = () => erase('You signed out in another tab.');
    otherTabs.current = followOtherTabs({ onSignIn: () => void open(), onSignOut });
    void open();
    return () => otherTabs.current?.close();
  }, []);

  function end(message: string, id: number): void {
    setReason(`You were signed out. ${message}`);
    setSession((current) => (current?.id === id ? null : current));
  }

  function show(found: Session | null): void {
    const account = found?.viewer?.accountId ?? lastAccount.current;
    if (lastAccount.current !== null && account !== lastAccount.current) erase(null);
    lastAccount.current = account;
    if (found) setReason(null);
    setSession(found);
  }

  function begin(opened: Session): void {
    show(opened);
    otherTabs.current?.tell('sign-in');
    // the form or the menu had the focus
    requestAnimationFrame(focusViewIfLost);
  }

  /** Forgets all data of the account: the cache goes with the session. */
  function erase(message: string | null): void {
    drafts.clear();
    lastAccount.current = null;
    forgetLastList();
    goTo(LIST);
    setReason(message);
    setSession(null);
  }

  /** Unmounts the shell, which stops bulk changes and sends waiting deletions. Notifies the other tabs, and gives them 300 ms to send theirs. */
  async function close(message: string): Promise<void> {
    setReason(message);
    setSession(undefined);
    await otherTabs.current?.leave();
  }

  /** Ends the session. The form to sign in means that it has ended. */
  async function leave(): Promise<void> {
    erase(null);
    await close('Signing out…');
    const fault = await signOut();
    setReason(fault && `This browser is still signed in. ${fault.message}`);
    setSession(null);
    if (!fault) otherTabs.current?.tell('sign-out');
  }

  async function changeAccount(account: string): Promise<void> {
    await close('Switching…');
    const result = await switchAccount(account, end);
    if (result && !('client' in result)) {
      setReason(result.message);
      setSession(session);
      return;
    }
    erase(null);
    if (result) begin(result);
  }

  if (session === undefined) {
    return (
      <main class="sign-in">
        <h1 class="visually-hidden">Embed Gateway</h1>
        <p role="status">{reason}</p>
      </main>
    );
  }
  if (session === null) return <SignIn reason={reason} hasDrafts={drafts.size > 0} onSignedIn={begin} onEnd={end} />;
  return (
    <Provider value={session.client}>
      <AppShell
        key={session.id}
        session={session}
        fault={reason}
        drafts={drafts}
        onSwitch={changeAccount}
        onSignOut={leave}
      />
    </Provider>
  );
}
