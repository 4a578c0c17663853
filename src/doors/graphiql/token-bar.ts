/** Set while this browser may have a session. The console shares it: both ask for nothing without it. */
const SESSION_KEY = 'embed-gateway:signed-in';

/**
 * Renders a field for an access token, which is exchanged for a session: the page and the console share it, and keep no token.
 * GraphiQL loads the schema at once, so the first response shows whether there is a session.
 */
export const renderTokenBar = (hasConsole: boolean) => `
<header><form id="token-bar">
  <h1>GraphiQL</h1>
  <label for="token">Access token</label>
  <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="emb_…" required>
  <button>Sign in</button>
  <span id="token-state" role="status"></span>
  <nav aria-label="Service">${hasConsole ? '<a href="/">Console</a>' : ''}<a href="/docs">Docs</a></nav>
</form></header>`;

export const TOKEN_BAR_CSS = `
:root { --bar: 44px; }
#token-bar { display: flex; gap: .6rem; align-items: center; height: var(--bar); padding: 0 1rem; font: 14px system-ui, sans-serif; background: #1f2937; color: #f9fafb; }
#token-bar h1 { margin: 0 .5rem 0 0; font: inherit; font-weight: 600; }
#token-bar input { flex: 0 1 28rem; min-width: 4rem; padding: .3rem .5rem; border: 1px solid #6b7280; border-radius: 4px; background: #fff; color: #111827; font: inherit; }
#token-bar button { padding: .3rem .9rem; border: 0; border-radius: 4px; background: #f9fafb; color: #111827; font: inherit; cursor: pointer; }
#token-bar :is(label, #token-state) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#token-bar :is(label, button, nav) { flex: none; }
#token-bar nav { display: flex; gap: 1rem; margin-inline-start: auto; }
#token-bar a { color: inherit; }
@media (max-width: 600px) {
  :root { --bar: 96px; }
  #token-bar { flex-wrap: wrap; align-content: center; }
  #token-bar :is(h1, label) { position: absolute; clip-path: inset(50%); }
  #token-bar input { flex: 1 1 60%; }
  #token-bar #token-state { flex: 1 1 50%; line-height: 1.15; white-space: normal; }
  .graphiql-container :is(.graphiql-main, .graphiql-session) { flex-direction: column; }
  .graphiql-container :is(.graphiql-sessions, .graphiql-editors, .graphiql-response) { min-height: 0; }
  .graphiql-container :is(.graphiql-horizontal-drag-bar, .graphiql-logo) { display: none; }
}
#root, .graphiql-container { height: calc(100dvh - var(--bar)) !important; }`;

/** Also puts the query of the open tab into the URL: on a reload, GraphiQL would open an empty tab. */
export const TOKEN_BAR_SCRIPT = `(() => {
  const { tabs = [], activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  const { query, variables } = tabs[activeTabIndex] ?? {};
  if (query && location.search === '') {
    history.replaceState(null, '', '?' + new URLSearchParams(variables ? { query, variables } : { query }));
  }
  const input = document.getElementById('token');
  const showState = (text) => {
    document.getElementById('token-state').textContent = text;
  };
  const consoleLink = document.querySelector('#token-bar a[href="/"]');
  const consoleTabs = new BroadcastChannel('embed-gateway:session');
  const signIn = async (token) => {
    if (!/^[ -~]*$/.test(token)) return showState('The token contains characters that tokens never contain.');
    const headers = { 'content-type': 'application/json' };
    const check = { method: 'POST', headers: { ...headers, authorization: 'Bearer ' + token }, body: '{"query":"{ __typename }"}' };
    const checked = await originalFetch('/graphql', check);
    // 400: the token is valid, but the document is not in the manifest of TRUSTED_DOCUMENTS
    if (checked.status > 400) return showState((await checked.json()).errors[0].message);
    // the tabs of the console send their waiting deletions, and then show the account of the token
    consoleTabs.postMessage('leave');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const response = await originalFetch('/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
    if (!response.ok) return showState((await response.json()).detail);
    localStorage.setItem('${SESSION_KEY}', '');
    consoleTabs.postMessage('sign-in');
    location.reload();
  };
  document.getElementById('token-bar').addEventListener('submit', (event) => {
    event.preventDefault();
    signIn(input.value.trim().replace(/^Bearer /i, '')).catch(() => showState('The service cannot be reached.'));
  });
  const originalFetch = window.fetch;
  const missingToken = () => Response.json({
    errors: [{ message: 'Sign in at the top of the page with an access token.', extensions: { code: 'UNAUTHENTICATED' } }],
  });
  window.fetch = async (resource, init = {}) => {
    const { origin, pathname } = new URL(resource instanceof Request ? resource.url : resource, location.href);
    const headers = new Headers(init.headers ?? (resource instanceof Request ? resource.headers : undefined));
    const isOwn = origin === location.origin && pathname === '/graphql' && !headers.has('authorization');
    if (!isOwn) return originalFetch(resource, init);
    const response = localStorage.getItem('${SESSION_KEY}') === null ? null : await originalFetch(resource, init);
    const isSignedIn = response !== null && response.status !== 401;
    showState(isSignedIn ? 'You are signed in' + (consoleLink ? ', also to the console.' : '.') : 'Enter a token to sign in.');
    return isSignedIn ? response : missingToken();
  };
})();`;
