import { useClient } from '@urql/preact';
import type { Session } from '../api/session.ts';
import { progressText } from '../bulk/bulk-bar.tsx';
import { useBulkChange } from '../bulk/use-bulk-change.ts';
import { type ListedEmbedFragment, OneEmbedDocument } from '../generated/operations.ts';

interface Props {
  readonly embed: ListedEmbedFragment;
  readonly session: Session;
}

/** Says that the page of an embed has moved, and gives all embeds of the page its new URL. Stays for the undo. */
export function MovedPanel({ embed: { id, pageUrl, page }, session }: Props) {
  const client = useClient();
  const read = () => client.query(OneEmbedDocument, { id }, { requestPolicy: 'network-only' }).toPromise();
  const { change, apply } = useBulkChange(session, () => void read());
  const { movedTo } = page;
  if (movedTo === null && change === null) return null;
  const isRunning = change?.phase === 'running';
  return (
    <section class="panel moved-panel" aria-label="The page has moved">
      {movedTo !== null && (
        <p>
          The page has moved to <a href={movedTo}>{movedTo}</a>
        </p>
      )}
      <p role="status">{change && progressText(change)}</p>
      {movedTo !== null && session.canWrite && (
        <button
          type="button"
          class="button"
          aria-busy={isRunning}
          onClick={() => isRunning || apply({ list: { filter: { pageUrl } }, total: 1 }, { pageUrl: movedTo })}
        >
          Use the new URL in all embeds of the page
        </button>
      )}
      {change?.phase === 'ended' && change.undo && (
        <button type="button" class="button" onClick={change.undo}>
          Undo
        </button>
      )}
    </section>
  );
}
