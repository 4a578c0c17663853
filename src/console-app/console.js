import { Provider } from '@urql/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { jsx as _jsx } from 'preact/jsx-runtime';
import { mayWrite } from './api/client.ts';
import { openSession } from './api/session.ts';
import { forgetToken, keptToken } from './api/token.ts';
import { Workbench } from './app-shell.tsx';
import { createDrafts } from './editor/drafts.ts';
import { goTo, LIST } from './route.ts';
import { SignIn } from './sign-in.tsx';
/** Everything: with a token the workbench, without one the way in. What was typed outlives a token that ends. */
export function Console() {
  const drafts = useMemo(createDrafts, []);
  const [reason, setReason] = useState(null);
  const [session, setSession] = useState(() => {
    const token = keptToken();
    return token === null ? null : openSession(token, end);
  });
  function end(why) {
    forgetToken();
    setReason(why);
    setSession(null);
  }
  function signOut() {
    drafts.clear();
    goTo(LIST);
    end(null);
  }
  const { token, client } = session ?? {};
  useEffect(() => {
    if (!token) return;
    mayWrite(token).then((isWriter) => setSession((now) => now && { ...now, mayWrite: isWriter }));
  }, [token]);
  if (!session || !client)
    return _jsx(SignIn, { reason: reason, hasDrafts: drafts.size > 0, onSignedIn: setSession, onEnded: end });
  return _jsx(Provider, {
    value: client,
    children: _jsx(Workbench, { session: session, drafts: drafts, onSignOut: signOut }, token),
  });
}
