/** Receives a message in the other tabs when the user signs in or out. */
const CHANNEL = 'embed-gateway:session';

interface OtherTabs {
  /** The user signed in, so the cookie of this tab is another one. */
  onSignIn(): void;
  onSignOut(): void;
}

/** Follows the other tabs of the browser. A session that the API rejects is no sign-out: each tab finds out by itself. */
export function followOtherTabs({ onSignIn, onSignOut }: OtherTabs) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => (data === 'sign-in' ? onSignIn() : onSignOut());
  // a page that Back takes out of the cache of the browser has received no messages there
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload();
  };
  addEventListener('pageshow', onPageShow);
  return {
    tell: (message: 'sign-in' | 'sign-out') => channel.postMessage(message),
    close() {
      channel.close();
      removeEventListener('pageshow', onPageShow);
    },
  };
}
