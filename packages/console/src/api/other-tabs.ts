/** Receives a message in the other tabs before and after the user signs in or out. GraphiQL sends it too. */
const CHANNEL = 'embed-gateway:session';

/** An event of the window: another tab is about to replace the cookie, so waiting deletions must be sent now. */
export const LEAVE = 'leave';

/** The time that tabs have to send waiting deletions, before the cookie is replaced. GraphiQL waits as long. */
const LEAVE_MS = 300;

interface OtherTabs {
  /** The user signed in, so the cookie of this tab is another one. */
  onSignIn(): void;
  onSignOut(): void;
}

/** Follows the other tabs of the browser. A session that the API rejects is no sign-out: each tab finds out by itself. */
export function followOtherTabs({ onSignIn, onSignOut }: OtherTabs) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === LEAVE) dispatchEvent(new Event(LEAVE));
    else if (data === 'sign-in') onSignIn();
    else onSignOut();
  };
  // a page that Back takes out of the cache of the browser has received no messages there
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) location.reload();
  };
  addEventListener('pageshow', onPageShow);
  return {
    tell: (message: 'sign-in' | 'sign-out') => channel.postMessage(message),
    /** Notifies the other tabs, and gives them 300 ms to send their waiting deletions. This tab sends its own when its shell is unmounted. */
    async leave(): Promise<void> {
      channel.postMessage(LEAVE);
      await new Promise((resolve) => setTimeout(resolve, LEAVE_MS));
    },
    close() {
      channel.close();
      removeEventListener('pageshow', onPageShow);
    },
  };
}
