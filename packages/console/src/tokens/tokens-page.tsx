import { useQuery } from '@urql/preact';
import { useState } from 'preact/hooks';
import { apiErrorOf, describeFailure, isUnconfirmed } from '../api/api-error.ts';
import { type Session, TOKEN_PAGE_SIZE } from '../api/session.ts';
import {
  type CreateTokenMutation,
  RevokeTokenDocument,
  type TokenPartsFragment,
  TokensDocument,
} from '../generated/operations.ts';
import type { Notify } from '../notices.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FormOpener } from '../ui/form-opener.tsx';
import { FailedRow, MoreRow, PagedRows, type PageProps, useReloadOnline, WholeRow } from '../ui/paged-rows.tsx';
import { SecretPanel } from '../ui/secret-panel.tsx';
import { usePage } from '../ui/use-page.ts';
import { NewTokenForm } from './new-token-form.tsx';
import { TokenRow } from './token-row.tsx';

type CreatedToken = CreateTokenMutation['createToken'];

const COLUMN_COUNT = 6;

interface Props {
  readonly session: Session;
  readonly notify: Notify;
}

/** The tokens of the account, and a form that creates one. */
export function TokensPage({ session, notify }: Props) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [isFormOpen, setFormOpen] = useState(false);
  /** Grows with each change that the service did not confirm. The list is then read again. */
  const [unconfirmedCount, setUnconfirmedCount] = useState(0);
  const [pendingRevocation, setPendingRevocation] = useState<TokenPartsFragment | null>(null);
  usePage('Tokens');

  async function revoke({ id, name }: TokenPartsFragment) {
    setPendingRevocation(null);
    // the button that had the focus disappears
    requestAnimationFrame(() => document.getElementById('tokens-heading')?.focus());
    const { error } = await session.client.mutation(RevokeTokenDocument, { input: { id } }).toPromise();
    if (!error) return notify({ text: `The token “${name}” was revoked.` });
    const apiError = apiErrorOf(error);
    notify({ text: describeFailure(apiError, `token “${name}”`, 'revoked'), isError: true });
    if (isUnconfirmed(apiError)) readAgain();
  }

  function readAgain() {
    setUnconfirmedCount((count) => count + 1);
  }

  function close() {
    setCreated(null);
    setFormOpen(false);
  }

  return (
    <main id="main" class="tokens" tabIndex={-1} aria-labelledby="tokens-heading">
      <div class="view-head">
        <h1 id="tokens-heading" tabIndex={-1}>
          Tokens
        </h1>
        {!created && <FormOpener label="New token" isOpen={isFormOpen} onToggle={() => setFormOpen(!isFormOpen)} />}
      </div>
      <div class="split list-first" data-open={isFormOpen}>
        {created ? (
          <SecretPanel
            heading={`Copy the token “${created.token.name}” now`}
            hint="It is shown only once. The service stores no copy of it."
            secret={created.secret}
            name="Token"
            onDone={close}
          />
        ) : (
          <NewTokenForm session={session} onCreated={setCreated} onUnconfirmed={readAgain} />
        )}
        <div class="table-frame">
          <table class="table token-table" aria-labelledby="tokens-heading">
            <thead>
              <tr>
                <th scope="col">Token</th>
                <th scope="col" class="cell-scopes">
                  Scopes
                </th>
                <th scope="col" class="cell-time">
                  Created
                </th>
                <th scope="col" class="cell-time">
                  Last used
                </th>
                <th scope="col" class="cell-time">
                  Ends
                </th>
                <th scope="col" class="cell-action">
                  <span class="visually-hidden">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              <PagedRows
                key={unconfirmedCount}
                renderPage={(page) => <TokenRows key={page.after} {...page} onRevoke={setPendingRevocation} />}
              />
            </tbody>
          </table>
        </div>
      </div>
      {pendingRevocation && (
        <ConfirmDialog
          heading={`Revoke “${pendingRevocation.name}”?`}
          text="Clients that use this token are rejected within 5 seconds. If it is the token that you signed in with, you are signed out. This cannot be undone."
          action="Revoke token"
          onCancel={() => setPendingRevocation(null)}
          onConfirm={() => revoke(pendingRevocation)}
        />
      )}
    </main>
  );
}

interface TokenRowsProps extends PageProps {
  readonly onRevoke: (token: TokenPartsFragment) => void;
}

function TokenRows({ onRevoke, ...page }: TokenRowsProps) {
  const { after } = page;
  const [{ data, error, fetching }, reload] = useQuery({
    query: TokensDocument,
    variables: { first: TOKEN_PAGE_SIZE, ...(after !== null && { after }) },
    // other clients use, create and revoke tokens too
    requestPolicy: 'cache-and-network',
  });
  const retry = () => reload({ requestPolicy: 'network-only' });
  useReloadOnline(retry);
  if (!data && error) {
    return <FailedRow columns={COLUMN_COUNT} error={error} isLoading={fetching} onRetry={retry} />;
  }
  if (!data) {
    return (
      <WholeRow columns={COLUMN_COUNT} role="status">
        Loading tokens…
      </WholeRow>
    );
  }
  const { nodes, pageInfo, totalCount } = data.tokens;
  if (totalCount === 0) {
    return (
      <WholeRow columns={COLUMN_COUNT} class="hint">
        This account has no stored tokens. The token of the operator is not listed.
      </WholeRow>
    );
  }
  return (
    <>
      {nodes.map((token) => (
        <TokenRow key={token.id} token={token} onRevoke={onRevoke} />
      ))}
      <MoreRow {...page} columns={COLUMN_COUNT} pageInfo={pageInfo} />
    </>
  );
}
