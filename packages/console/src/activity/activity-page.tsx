import { useQuery } from '@urql/preact';
import { useEffect } from 'preact/hooks';
import { type AuditEventPartsFragment, AuditEventsDocument } from '../generated/operations.ts';
import { hrefOfEmbed } from '../route.ts';
import { FailedRow, MoreRow, PagedRows, type PageProps } from '../ui/paged-rows.tsx';
import { Time } from '../ui/time.tsx';

const PAGE_SIZE = 50;

/** The changes in the account: who did what, and when. */
export function ActivityPage() {
  useEffect(() => {
    document.title = 'Activity · Embed Gateway';
    document.getElementById('main')?.focus({ preventScroll: true });
  }, []);
  return (
    <main id="main" class="activity" tabIndex={-1} aria-labelledby="activity-heading">
      <div class="view-head">
        <h1 id="activity-heading">Activity</h1>
      </div>
      <p class="hint">
        Who changed what in this account in the last 90 days. Embeds that a token creates within a minute share one
        line.
      </p>
      <ul class="activity-list" aria-labelledby="activity-heading">
        <PagedRows renderPage={(page) => <EventRows key={page.after} {...page} />} />
      </ul>
    </main>
  );
}

function EventRows(page: PageProps) {
  const { after } = page;
  const [{ data, error, fetching }, reload] = useQuery({
    query: AuditEventsDocument,
    variables: { first: PAGE_SIZE, ...(after !== null && { after }) },
    requestPolicy: 'cache-and-network',
  });
  if (!data && error) {
    const retry = () => reload({ requestPolicy: 'network-only' });
    return <FailedRow error={error} isLoading={fetching} onRetry={retry} />;
  }
  if (!data) return <li role="status">Loading activity…</li>;
  const { nodes, pageInfo } = data.auditEvents;
  if (nodes.length === 0 && after === null) return <li class="hint">Nothing has changed in the last 90 days.</li>;
  return (
    <>
      {nodes.map((event) => (
        <li key={event.id} class="event" data-action={event.action}>
          <p>
            <b title={event.actorTokenId ? `Token ${event.actorTokenId}` : undefined}>{event.actor}</b>{' '}
            {describe(event)}
          </p>
          <Time at={event.at} />
        </li>
      ))}
      <MoreRow {...page} pageInfo={pageInfo} />
    </>
  );
}

function describe({ action, subjectId, subjectName, count }: AuditEventPartsFragment) {
  const id = subjectId ?? '';
  switch (action) {
    case 'EMBEDS_CREATED':
      return (
        <>
          created <a href={hrefOfEmbed(id)}>{count === 1 ? 'an embed' : `${count.toLocaleString('en')} embeds`}</a>
        </>
      );
    case 'EMBEDS_IMPORTED':
      return `imported ${count === 1 ? 'an embed' : `${count.toLocaleString('en')} embeds`}`;
    case 'EMBED_UPDATED':
      return (
        <>
          updated the embed <a href={hrefOfEmbed(id)}>{subjectName ?? id}</a>
        </>
      );
    case 'EMBED_DELETED':
      return (
        <>
          deleted the embed <span class="mono">{id}</span>
        </>
      );
    case 'TOKEN_CREATED':
      return `created the token ${subjectName}`;
    case 'TOKEN_REVOKED':
      return `revoked the token ${subjectName}`;
  }
}
