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

export function TokenRow({ token, onRevoke }: Props) {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const state = stateOf(token);
  const end = revokedAt ?? expiresAt;
  const created = <Time at={createdAt} />;
  const used = lastUsedAt ? <Time at={lastUsedAt} /> : 'never';
  const ends = end ? <Time at={end} /> : 'never';
  return (
    <tr data-token={id} data-state={state}>
      <th scope="row">
        <b>{name}</b> <span class="state">{state}</span>
        <span class="token-id mono">{id}</span>
        {/* in place of the columns where the window is narrow */}
        <span class="row-meta">
          {scopes.map((scope) => scope.toLowerCase()).join(', ')} · created {created} · used {used} ·{' '}
          {state === 'Valid' ? 'ends' : state.toLowerCase()} {ends}
        </span>
      </th>
      <td class="cell-scopes">
        <ul class="tags">
          {scopes.map((scope) => (
            <li key={scope}>{scope.toLowerCase()}</li>
          ))}
        </ul>
      </td>
      <td class="cell-time">{created}</td>
      <td class="cell-time">{used}</td>
      <td class="cell-time">{ends}</td>
      <td class="cell-action">
        {!revokedAt && (
          <button type="button" class="button ghost small danger" onClick={() => onRevoke(token)}>
            Revoke
            <span class="visually-hidden">{` ${name}`}</span>
          </button>
        )}
      </td>
    </tr>
  );
}
