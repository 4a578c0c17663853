/** The token is kept for the session of the tab: it is gone when the tab is closed, and no other tab sees it. */
const KEY = 'embed-gateway:console-token';
export function keptToken() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
export function keepToken(token) {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {}
}
export function forgetToken() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {}
}
