import { useQuery } from '@urql/preact';
import { Fragment } from 'preact';
import { ALL_EMBEDS, writeListQuery } from '../filters/list-query.ts';
import { type AuditEventPartsFragment, AuditEventsDocument } from '../generated/operations.ts';
import { labelOfValue, nameInWords } from '../list/embed-view-model.ts';
import { hrefOfEmbed, hrefOfList } from '../route.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { FailedRow, MoreRow, PagedRows, type PageProps, useReloadOnline } from '../ui/paged-rows.tsx';
import { Time } from '../ui/time.tsx';
import { usePage } from '../ui/use-page.ts';

const PAGE_SIZE = 50;

/** The changes in the account: who did what, and when. */
export function ActivityPage() {
  usePage('Activity');
  return (
    <main id="main" class="activity" tabIndex={-1} aria-labelledby="activity-heading">
      <div class="view-head">
        <h1 id="activity-heading">Activity</h1>
      </div>
      <p class="hint">
        Who changed what in this account in the last 90 days. Embeds that a token creates within a minute, or changes
        together, share one line.
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
  const retry = () => reload({ requestPolicy: 'network-only' });
  useReloadOnline(retry);
  if (!data && error) return <FailedRow error={error} isLoading={fetching} onRetry={retry} />;
  if (!data) return <li role="status">Loading activity…</li>;
  const { nodes, pageInfo } = data.auditEvents;
  if (nodes.length === 0 && after === null) return <li class="hint">Nothing has changed in the last 90 days.</li>;
  const dayBefore = after === null ? null : dayOf(timeOfId(after));
  return (
    <>
      {nodes.map((event, i) => {
        const day = dayOf(new Date(event.at));
        const before = i === 0 ? dayBefore : dayOf(new Date(nodes[i - 1]?.at ?? ''));
        return (
          <Fragment key={event.id}>
            {day !== before && (
              <li class="day">
                <h2>{day}</h2>
              </li>
            )}
            <EventRow event={event} />
          </Fragment>
        );
      })}
      <MoreRow {...page} pageInfo={pageInfo} />
    </>
  );
}

const ICONS: Readonly<Record<AuditEventPartsFragment['action'], IconName>> = {
  EMBEDS_CREATED: 'plus',
  EMBEDS_IMPORTED: 'upload',
  EMBED_UPDATED: 'edit',
  EMBEDS_UPDATED: 'edit',
  EMBED_DELETED: 'trash',
  EMBEDS_DELETED: 'trash',
  TOKEN_CREATED: 'key',
  TOKEN_REVOKED: 'key',
  WEBHOOK_CREATED: 'plus',
  WEBHOOK_UPDATED: 'edit',
  WEBHOOK_DELETED: 'trash',
  WEBHOOK_SECRET_ROTATED: 'key',
  ACCOUNT_UPDATED: 'sliders',
};

function EventRow({ event }: { readonly event: AuditEventPartsFragment }) {
  const changes = event.changes ?? [];
  return (
    <li class="event" data-action={event.action}>
      <span class="event-icon">
        <Icon name={ICONS[event.action]} />
      </span>
      <div>
        <p>
          <b title={event.actorTokenId ? `Token ${event.actorTokenId}` : undefined}>{event.actor}</b> {describe(event)}
        </p>
        {changes.length > 0 && (
          <ul class="changes" aria-label="Changes">
            {changes.map(({ field, before, after }) => (
              <li key={`${field} ${after}`}>
                {nameInWords(field)}: {before !== null && `${wordsOf(before)} → `}
                {after === null ? 'none' : wordsOf(after)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Time at={event.at} isClock />
    </li>
  );
}

/** Writes enums, times, lists and settings in words; other values as they are. */
function wordsOf(value: string): string {
  if (value === 'true' || value === 'false') return value === 'true' ? 'on' : 'off';
  if (/^[A-Z][A-Z_]+$/.test(value)) return labelOfValue(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value))
    return new Date(value).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const members = parseMembers(value);
  if (members === null) return value;
  if (Array.isArray(members)) return members.join(', ');
  return Object.entries(members)
    .map(([name, member]) => `${nameInWords(name)} ${wordsOf(String(member))}`)
    .join(', ');
}

/** Parses a list or an object of JSON. Returns null for other texts, such as a value that the service has cut. */
function parseMembers(value: string): object | null {
  if (!/^[[{]/.test(value)) return null;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

function dayOf(time: Date): string {
  if (time.toDateString() === new Date().toDateString()) return 'Today';
  return time.toLocaleDateString('en', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
}

/** Returns the link to the embeds that were created on the day of an event. */
function hrefOfDay(at: string): string {
  const time = new Date(at);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return hrefOfList(writeListQuery({ ...ALL_EMBEDS, from: day, to: day }));
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the time in the first 10 letters of a ULID. */
function timeOfId(id: string): Date {
  return new Date([...id.slice(0, 10)].reduce((ms, letter) => ms * 32 + BASE32.indexOf(letter), 0));
}

function embedsOf(count: number): string {
  return count === 1 ? 'an embed' : `${count.toLocaleString('en')} embeds`;
}

function describe({ action, at, subjectId, subjectName, count }: AuditEventPartsFragment) {
  const id = subjectId ?? '';
  switch (action) {
    case 'EMBEDS_CREATED':
      return (
        <>
          created <a href={count === 1 ? hrefOfEmbed(id) : hrefOfDay(at)}>{embedsOf(count)}</a>
        </>
      );
    case 'EMBEDS_IMPORTED':
      return `imported ${embedsOf(count)}`;
    case 'EMBEDS_UPDATED':
    case 'EMBEDS_DELETED': {
      const conditions = Object.entries<unknown>(JSON.parse(subjectName ?? '{}'));
      const filter = conditions.map(([name, value]) => `${nameInWords(name)} ${wordsOf(String(value))}`).join(', ');
      return `${action === 'EMBEDS_UPDATED' ? 'updated' : 'deleted'} ${embedsOf(count)}${filter && ` that matched ${filter}`}`;
    }
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
    case 'ACCOUNT_UPDATED':
      return 'changed the settings of the account';
    case 'TOKEN_CREATED':
      return `created the token ${subjectName}`;
    case 'TOKEN_REVOKED':
      return `revoked the token ${subjectName}`;
    case 'WEBHOOK_CREATED':
      return `created a webhook to ${subjectName}`;
    case 'WEBHOOK_UPDATED':
      return `updated a webhook to ${subjectName}`;
    case 'WEBHOOK_DELETED':
      return `deleted a webhook to ${subjectName}`;
    case 'WEBHOOK_SECRET_ROTATED':
      return `rotated the secret of a webhook to ${subjectName}`;
  }
}
