import { useEffect } from 'preact/hooks';
import type { Session } from '../api/session.ts';
import { WebhooksDocument } from '../generated/operations.ts';
import type { Notify } from '../notices.tsx';
import { goTo, WEBHOOKS } from '../route.ts';

/** The most that an account has. */
const FIRST = 20;

/** Notifies once of the webhooks that the service has disabled. */
export function useDisabledWebhooks({ canAdminister, uncachedClient }: Session, notify: Notify): void {
  useEffect(() => {
    if (!canAdminister) return;
    void uncachedClient
      .query(WebhooksDocument, { first: FIRST })
      .toPromise()
      .then(({ data }) => {
        const disabled = data?.webhooks.nodes.filter(({ disabledReason }) => disabledReason !== null);
        if (!disabled?.length) return;
        const text =
          disabled.length === 1
            ? `A webhook was disabled: ${disabled[0]?.url}`
            : `${disabled.length} webhooks were disabled.`;
        notify({ text, isError: true, action: { label: 'Show', run: () => goTo(WEBHOOKS) } });
      });
  }, [canAdminister]);
}
