/**
 * What GraphiQL lacks: one field for the access token, kept in this browser. The token goes with every request of the
 * page to this service that has no Authorization header of its own, and nowhere else. Without a token nothing is sent:
 * the page itself says what is missing. Whether a token is good shows with the first answer: GraphiQL asks for the schema.
 */
export const TOKEN_BAR_HTML = `
<form id="token-bar">
  <label for="token">Access token</label>
  <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="emb_…" required>
  <button>Use</button>
  <span id="token-state" role="status"></span>
</form>`;

export const TOKEN_BAR_CSS = `
#token-bar { display: flex; gap: .6rem; align-items: center; height: 44px; padding: 0 1rem; font: 14px system-ui, sans-serif; background: #1f2937; color: #f9fafb; }
#token-bar input { flex: 0 1 28rem; min-width: 4rem; padding: .3rem .5rem; border: 1px solid #6b7280; border-radius: 4px; background: #fff; color: #111827; font: inherit; }
#token-bar button { padding: .3rem .9rem; border: 0; border-radius: 4px; background: #f9fafb; color: #111827; font: inherit; cursor: pointer; }
#token-bar :is(label, #token-state) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#token-bar label { flex: none; }
#root, .graphiql-container { height: calc(100vh - 44px) !important; }`;

/** Besides: on a reload GraphiQL opens an empty tab, unless the address names the query of an open one. */
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
  const say = (text) => {
    document.getElementById('token-state').textContent = text;
  };
  say(token ? '' : 'Enter your token to begin.');
  document.getElementById('token-bar').addEventListener('submit', (event) => {
    event.preventDefault();
    localStorage.setItem(KEY, input.value.trim());
    location.reload();
  });
  const send = window.fetch;
  const askForToken = () => Response.json({ errors: [{ message: 'Enter your access token at the top of the page.' }] });
  const judge = async (response) => {
    const { errors } = response.status === 401 ? await response.clone().json() : {};
    say(errors?.[0]?.message ?? 'Kept in this browser.');
  };
  window.fetch = async (resource, init = {}) => {
    const { origin, pathname } = new URL(resource instanceof Request ? resource.url : resource, location.href);
    const headers = new Headers(init.headers ?? (resource instanceof Request ? resource.headers : undefined));
    if (origin !== location.origin || pathname !== '/graphql' || headers.has('authorization')) {
      return send(resource, { ...init, headers });
    }
    if (!token) return askForToken();
    headers.set('authorization', 'Bearer ' + token);
    const response = await send(resource, { ...init, headers });
    judge(response).catch(() => say(''));
    return response;
  };
})();`;
