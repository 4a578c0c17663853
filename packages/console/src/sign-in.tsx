import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasProvider, leaveForProvider, type OnEnd, type Session, signIn } from './api/session.ts';
import { Icon, Logo } from './ui/icons.tsx';

interface Props {
  /** Why the last session ended; null if the user ended it here. */
  readonly reason: string | null;
  readonly hasDrafts: boolean;
  readonly onSignedIn: (session: Session) => void;
  readonly onEnd: OnEnd;
}

export function SignIn({ reason, hasDrafts, onSignedIn, onEnd }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [providerFault, setProviderFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  // at once: keys that are pressed as soon as the form is visible belong to its field
  useLayoutEffect(() => {
    document.title = 'Sign in · Embed Gateway';
    if (!hasProvider) field.current?.focus();
  }, []);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    const result = await signIn(field.current?.value ?? '', onEnd);
    setBusy(false);
    if ('client' in result) return onSignedIn(result);
    setFault(result.message);
    field.current?.focus();
  }

  async function leave() {
    setBusy(true);
    const fault = await leaveForProvider();
    if (!fault) return;
    setBusy(false);
    setProviderFault(fault.message);
  }

  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={submit} noValidate>
        <Logo />
        <h1>Sign in to Embed Gateway</h1>
        {reason && (
          <p class="note warning" role="status">
            <Icon name="warning" />
            <span>
              {reason} {hasDrafts && <b>Your unsaved changes are kept.</b>}
            </span>
          </p>
        )}
        {hasProvider && (
          <>
            <button type="button" class="button primary wide" aria-busy={isBusy} onClick={leave}>
              Sign in with your company’s account
            </button>
            <p class="fault" role="alert">
              {providerFault}
            </p>
            <p class="sign-in-or">or with a token</p>
          </>
        )}
        <div class="field">
          <label for="token">Access token</label>
          <div class="with-button">
            <input
              ref={field}
              id="token"
              class="input mono"
              type={(isShown ? 'text' : 'password') as 'text'}
              placeholder="emb_…"
              autoComplete="off"
              autoCapitalize="off"
              spellcheck={false}
              aria-describedby="token-hint token-fault"
              aria-invalid={fault !== null}
              onInput={() => setFault(null)}
            />
            <button type="button" class="button ghost small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide' : 'Show'}
              <span class="visually-hidden"> token</span>
            </button>
          </div>
          <p id="token-fault" class="fault" role="alert">
            {fault}
          </p>
          <p id="token-hint" class="hint">
            The service prints a token when it starts for the first time. You are then signed in for 30 days in all tabs
            of this browser, or until you sign out.
          </p>
        </div>
        <button type="submit" class={`button wide ${hasProvider ? '' : 'primary'}`} aria-busy={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="sign-in-more">
          To create another token: <code>npx embed-gateway tokens create --account default --name me</code>
        </p>
      </form>
    </main>
  );
}
