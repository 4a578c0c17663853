import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf, isUnconfirmed } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import { CreateTokenDocument, type CreateTokenMutation, type Scope } from '../generated/operations.ts';
import { FormError } from '../ui/form-error.tsx';

const SCOPES: readonly { readonly scope: Scope; readonly hint: string }[] = [
  { scope: 'READ', hint: 'Read embeds.' },
  { scope: 'WRITE', hint: 'Create, change and delete embeds.' },
  { scope: 'ADMIN', hint: 'Manage tokens, webhooks and account settings, and list the activity.' },
];

/** Days until a token expires; 0 for never. */
const LIFETIMES = [0, 7, 30, 90, 365];
const DAY_MS = 86_400_000;

interface Props {
  readonly session: Session;
  readonly onCreated: (created: CreateTokenMutation['createToken']) => void;
  /** The service may have created a token, whose secret is lost. */
  readonly onUnconfirmed: () => void;
}

export function NewTokenForm({ session: { client, canWrite }, onCreated, onUnconfirmed }: Props) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(canWrite ? ['READ', 'WRITE'] : ['READ']);
  const [days, setDays] = useState(0);
  const [apiError, setApiError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { faults = {} } = apiError ?? {};
  useEffect(() => {
    if (apiError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .note')?.focus();
  }, [apiError]);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const expiry = days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() };
    const input = { name: name.trim(), scopes: [...scopes], ...expiry };
    const { data, error } = await client.mutation(CreateTokenDocument, { input }).toPromise();
    setBusy(false);
    if (data) onCreated(data.createToken);
    if (!error) return;
    const refusal = apiErrorOf(error);
    if (!isUnconfirmed(refusal)) return setApiError(refusal);
    const message = `${refusal.message} If the list has the token, revoke it: its secret is lost.`;
    setApiError({ ...refusal, message });
    onUnconfirmed();
  }

  function toggle(scope: Scope, isOn: boolean) {
    setScopes(SCOPES.map((each) => each.scope).filter((each) => (each === scope ? isOn : scopes.includes(each))));
  }

  return (
    <form ref={form} class="panel" onSubmit={submit} noValidate aria-labelledby="new-token-heading">
      <h2 id="new-token-heading">New token</h2>
      <div class="field">
        <label for="token-name">Name</label>
        <input
          id="token-name"
          class="input"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          maxLength={64}
          placeholder="ci"
          value={name}
          aria-invalid={faults.name !== undefined}
          aria-describedby="token-name-hint token-name-fault"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p id="token-name-fault" class="fault" role="alert">
          {faults.name && `The name ${faults.name}.`}
        </p>
        <p id="token-name-hint" class="hint">
          What the token is for. Lower-case letters, digits, dots, underscores and hyphens.
        </p>
      </div>
      <fieldset class="field" aria-describedby="scopes-fault">
        <legend>Scopes</legend>
        {SCOPES.map(({ scope, hint }) => {
          const isOwn = scope !== 'WRITE' || canWrite;
          return (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                disabled={!isOwn}
                aria-invalid={faults.scopes !== undefined}
                onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
              />
              <span>{scope.toLowerCase()}</span>
              <span class="hint">{isOwn ? hint : 'Your own token does not have this scope.'}</span>
            </label>
          );
        })}
        <p id="scopes-fault" class="fault" role="alert">
          {faults.scopes && (scopes.length === 0 ? 'Choose one or more scopes.' : `The scopes ${faults.scopes}.`)}
        </p>
      </fieldset>
      <div class="field">
        <label for="lifetime">Expires</label>
        <select
          id="lifetime"
          class="input"
          value={days}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        >
          {LIFETIMES.map((value) => (
            <option key={value} value={value}>
              {value === 0 ? 'Never' : `In ${value} days`}
            </option>
          ))}
        </select>
      </div>
      <FormError error={apiError} />
      <div class="actions">
        <button type="submit" class="button primary" aria-busy={isBusy}>
          Create token
        </button>
      </div>
    </form>
  );
}
