/**
 * A field for the access token, stored in the browser. The script sends the token with each request to `/graphql` of this
 * origin that has no Authorization header. Without a token, the session of the console counts. GraphiQL loads the schema at
 * once, so the first response shows if the token is valid.
 */
export const TOKEN_BAR_HTML = `
<header><form id="token-bar">
  <h1>GraphiQL</h1>
  <label for="token">Access token</label>
  <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="emb_…" required>
  <button>Use</button>
  <span id="token-state" role="status"></span>
</form></header>`;

export const TOKEN_BAR_CSS = `
#token-bar { display: flex; gap: .6rem; align-items: center; height: 44px; padding: 0 1rem; font: 14px system-ui, sans-serif; background: #1f2937; color: #f9fafb; }
#token-bar h1 { margin: 0 .5rem 0 0; font: inherit; font-weight: 600; }
#token-bar input { flex: 0 1 28rem; min-width: 4rem; padding: .3rem .5rem; border: 1px solid #6b7280; border-radius: 4px; background: #fff; color: #111827; font: inherit; }
#token-bar button { padding: .3rem .9rem; border: 0; border-radius: 4px; background: #f9fafb; color: #111827; font: inherit; cursor: pointer; }
#token-bar :is(label, #token-state) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#token-bar label { flex: none; }
#root, .graphiql-container { height: calc(100vh - 44px) !important; }`;

/** Also puts the query of the open tab into the URL: on a reload, GraphiQL would open an empty tab. */
export const TOKEN_BAR_SCRIPT = `(() => {
  const { tabs = [], activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  const { query, variables } = tabs[activeTabIndex] ?? {};
  if (query && location.search === '') {
    history.replaceState(null, '', '?' + new URLSearchParams(variables ? { query, variables } : { query }));
  }
  const KEY = 'embed-gateway:token';
  const token = localStorage.getItem(KEY);
  const input = document.getElementById('token');
  input.value = token ?? '';
  const showState = (text) => {
    document.getElementById('token-state').textContent = text;
  };
  document.getElementById('token-bar').addEventListener('submit', (event) => {
    event.preventDefault();
    localStorage.setItem(KEY, input.value.trim());
    location.reload();
  });
  const originalFetch = window.fetch;
  const missingToken = () => Response.json({
    errors: [{ message: 'Enter your access token at the top of the page.', extensions: { code: 'UNAUTHENTICATED' } }],
  });
  const showResult = async (response) => {
    const { errors } = response.status === 401 ? await response.clone().json() : {};
    showState(errors?.[0]?.message ?? (token ? 'Stored in this browser.' : 'Signed in to the console.'));
  };
  window.fetch = async (resource, init = {}) => {
    const { origin, pathname } = new URL(resource instanceof Request ? resource.url : resource, location.href);
    const headers = new Headers(init.headers ?? (resource instanceof Request ? resource.headers : undefined));
    if (origin !== location.origin || pathname !== '/graphql' || headers.has('authorization')) {
      return originalFetch(resource, { ...init, headers });
    }
    if (token) headers.set('authorization', 'Bearer ' + token);
    const response = await originalFetch(resource, { ...init, headers });
    if (!token && response.status === 401) {
      showState('Enter your token to begin.');
      return missingToken();
    }
    showResult(response).catch(() => showState(''));
    return response;
  };
})();`;
