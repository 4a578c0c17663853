import type { TokenPartsFragment } from '../generated/operations.ts';
import { Time } from '../ui/time.tsx';

interface Props {
  readonly token: TokenPartsFragment;
  readonly onRevoke: (token: TokenPartsFragment) => void;
}

type State = 'Valid' | 'Expired' | 'Revoked';

function stateOf({ revokedAt, expiresAt }: TokenPartsFragment): State {
  if (revokedAt) return 'Revoked';
  return expiresAt && new Date(expiresAt).getTime() <= Date.now() ? 'Expired' : 'Valid';
}

export function TokenItem({ token, onRevoke }: Props) {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const state = stateOf(token);
  return (
    <li class="token" data-token={id} data-state={state}>
      <div class="token-head">
        <h2>{name}</h2>
        <span class="state">{state}</span>
      </div>
      {!revokedAt && (
        <button type="button" class="button ghost small danger" onClick={() => onRevoke(token)}>
          Revoke
          <span class="visually-hidden">{` ${name}`}</span>
        </button>
      )}
      <ul class="tags" aria-label="Scopes">
        {scopes.map((scope) => (
          <li key={scope}>{scope.toLowerCase()}</li>
        ))}
      </ul>
      <dl>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{lastUsedAt ? <Time at={lastUsedAt} /> : 'never'}</dd>
        </div>
        <div>
          <dt>{revokedAt ? 'Revoked' : state === 'Expired' ? 'Expired' : 'Expires'}</dt>
          <dd>{(revokedAt ?? expiresAt) ? <Time at={revokedAt ?? expiresAt ?? ''} /> : 'never'}</dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd class="mono">{id}</dd>
        </div>
      </dl>
    </li>
  );
}
