/** In the local storage of the console's origin: all tabs share one sign-in, until the user signs out. */
const TOKEN_KEY = 'embed-gateway:console-token';

/** Receives a message in the other tabs when the user signs out. */
const SIGN_OUT_CHANNEL = 'embed-gateway:sign-out';

// storage throws where the browser blocks it: the token then lasts until the page is reloaded
export function readStoredToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

export function storeToken(token: string): void {
  try {
    localStorage.setItem(TOKEN_KEY, token);
  } catch {}
}

/** Deletes a token, unless another one was stored meanwhile. */
export function deleteStoredToken(token: string | null): void {
  try {
    if (localStorage.getItem(TOKEN_KEY) === token) localStorage.removeItem(TOKEN_KEY);
  } catch {}
}

interface OtherTabs {
  /** The user signed in. */
  onSignIn(token: string): void;
  onSignOut(): void;
}

/** Follows the other tabs of the browser. A token that the API rejects is no sign-out: each tab finds out by itself. */
export function followOtherTabs({ onSignIn, onSignOut }: OtherTabs) {
  const channel = new BroadcastChannel(SIGN_OUT_CHANNEL);
  channel.onmessage = onSignOut;
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === TOKEN_KEY && newValue) onSignIn(newValue);
  };
  // a page that Back takes out of the cache of the browser has received no messages there
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload();
  };
  addEventListener('storage', onStorage);
  addEventListener('pageshow', onPageShow);
  return {
    signOut: () => channel.postMessage(null),
    close() {
      channel.close();
      removeEventListener('storage', onStorage);
      removeEventListener('pageshow', onPageShow);
    },
  };
}
