import { Provider } from '@urql/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { findRights, openSession, type Session } from './api/session.ts';
import { deleteStoredToken, followOtherTabs, readStoredToken } from './api/stored-token.ts';
import { AppShell } from './app-shell.tsx';
import type { Drafts } from './editor/draft.ts';
import { forgetLastList, goTo, LIST } from './route.ts';
import { SignIn } from './sign-in.tsx';

/** The root component. Drafts live here, so that they survive signing in again after the token has expired. */
export function Console() {
  const drafts = useMemo<Drafts>(() => new Map(), []);
  const [reason, setReason] = useState<string | null>(null);
  const [session, setSession] = useState<Session | null>(() => {
    const token = readStoredToken();
    return token === null ? null : openSession(token, end);
  });

  const otherTabs = useRef<ReturnType<typeof followOtherTabs> | null>(null);
  useEffect(() => {
    otherTabs.current = followOtherTabs({
      onSignIn: (token) => setSession((current) => (current?.token === token ? current : openSession(token, end))),
      onSignOut: () => erase('You signed out in another tab.'),
    });
    return () => otherTabs.current?.close();
  }, []);

  function end(message: string, token: string): void {
    deleteStoredToken(token);
    setReason(`You were signed out. ${message}`);
    setSession((current) => (current?.token === token ? null : current));
  }

  /** Forgets all data of the account: the cache goes with the session. */
  function erase(message: string | null): void {
    drafts.clear();
    forgetLastList();
    goTo(LIST);
    setReason(message);
    setSession(null);
  }

  function signOut(): void {
    deleteStoredToken(readStoredToken());
    otherTabs.current?.signOut();
    erase(null);
  }

  const { token, client } = session ?? {};
  useEffect(() => {
    if (!session) return;
    findRights(session).then((rights) => setSession((current) => current && { ...current, ...rights }));
  }, [token]);

  if (!session || !client)
    return <SignIn reason={reason} hasDrafts={drafts.size > 0} onSignedIn={setSession} onEnd={end} />;
  return (
    <Provider value={client}>
      <AppShell key={token} session={session} drafts={drafts} onSignOut={signOut} />
    </Provider>
  );
}
