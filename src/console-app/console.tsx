import { Provider } from '@urql/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { deleteStoredToken, findRights, openSession, readStoredToken, type Session } from './api/session.ts';
import { AppShell } from './app-shell.tsx';
import type { Drafts } from './editor/draft.ts';
import { goTo, LIST } from './route.ts';
import { SignIn } from './sign-in.tsx';

/** The root component. Drafts live here, so that they survive signing in again after the token has expired. */
export function Console() {
  const drafts = useMemo<Drafts>(() => new Map(), []);
  const [reason, setReason] = useState<string | null>(null);
  const [session, setSession] = useState<Session | null>(() => {
    const token = readStoredToken();
    return token === null ? null : openSession(token, end);
  });

  function end(message: string | null): void {
    deleteStoredToken();
    setReason(message);
    setSession(null);
  }

  function signOut(): void {
    drafts.clear();
    goTo(LIST);
    end(null);
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
