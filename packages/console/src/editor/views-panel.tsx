import type { CombinedError } from '@urql/core';
import { useQuery } from '@urql/preact';
import { useState } from 'preact/hooks';
import { type ViewPartsFragment, ViewsOfAccountDocument, ViewsOfEmbedDocument } from '../generated/operations.ts';
import { LoadError } from '../list/list-states.tsx';

type Group = ViewPartsFragment['groups'][number];

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Units of the drawing: the width of a day, the part of it that is a bar, and the height of the highest bar. */
const STEP = 10;
const BAR = 8;
const HEIGHT = 60;

/** The days up to today in UTC, oldest first. */
function lastDays(): readonly string[] {
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, i) => new Date(today - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10));
}

const describe = ({ views, reads }: Omit<Group, 'key'>) =>
  `${views.toLocaleString('en')} ${views === 1 ? 'view' : 'views'}, ${reads.toLocaleString('en')} read`;

interface Props {
  /** Null for the views of all embeds of the account. */
  readonly id: string | null;
}

/** The views of an embed in the last days, as bars and as tables. The panel reads them when it is opened. */
export function ViewsPanel({ id }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel views" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>
          Views of {id === null ? 'all embeds in ' : ''}the last {DAYS} days
        </h2>
      </summary>
      {isOpen && (id === null ? <ViewsOfAccount /> : <ViewsOfEmbed id={id} />)}
    </details>
  );
}

function ViewsOfEmbed({ id }: { readonly id: string }) {
  const [days] = useState(lastDays);
  const variables = { id, from: days[0] ?? '', to: days.at(-1) ?? '' };
  const [{ data, error }, reread] = useQuery({ query: ViewsOfEmbedDocument, variables, requestPolicy: 'network-only' });
  return <Views days={days} error={error} onRetry={() => reread()} views={data?.embed} />;
}

function ViewsOfAccount() {
  const [days] = useState(lastDays);
  const variables = { from: days[0] ?? '', to: days.at(-1) ?? '' };
  const [{ data, error }, reread] = useQuery({
    query: ViewsOfAccountDocument,
    variables,
    requestPolicy: 'network-only',
  });
  return <Views days={days} error={error} onRetry={() => reread()} views={data?.viewer.account} />;
}

interface ViewsProps {
  readonly days: readonly string[];
  readonly error: CombinedError | undefined;
  readonly onRetry: () => void;
  /** Null for an embed that was deleted, undefined while it is loading. */
  readonly views: Readonly<Record<'byDay' | 'bySite', ViewPartsFragment>> | null | undefined;
}

function Views({ days, error, onRetry, views }: ViewsProps) {
  if (error) return <LoadError error={error} onRetry={onRetry} />;
  if (views === undefined) return <p role="status">Loading views…</p>;
  if (views === null) return null;
  const { byDay, bySite } = views;
  const known = new Map(byDay.groups.map((group) => [group.key, group]));
  const all = days.map((key) => known.get(key) ?? { key, views: 0, reads: 0 });
  return (
    <>
      <p>
        <b>{describe(byDay)}</b>
      </p>
      {byDay.views > 0 && (
        <>
          <Bars groups={all} />
          <Table name="site" groups={bySite.groups} />
          <Table name="day" groups={byDay.groups} />
        </>
      )}
    </>
  );
}

/** One bar for each day. The part for reads is narrower, so that it shows without colours. */
function Bars({ groups }: { readonly groups: readonly Group[] }) {
  const most = Math.max(...groups.map(({ views }) => views));
  const heightOf = (count: number) => (count * HEIGHT) / most;
  return (
    <figure>
      <svg
        viewBox={`0 0 ${groups.length * STEP} ${HEIGHT}`}
        role="img"
        aria-label="Views by day: the table has the numbers"
      >
        {groups.map(({ key, views, reads }, i) => (
          <g key={key}>
            <title>{`${key}: ${describe({ views, reads })}`}</title>
            <rect class="seen" x={i * STEP} y={HEIGHT - heightOf(views)} width={BAR} height={heightOf(views)} />
            <rect class="read" x={i * STEP + 2} y={HEIGHT - heightOf(reads)} width={BAR - 4} height={heightOf(reads)} />
          </g>
        ))}
      </svg>
      <figcaption class="hint">
        {groups[0]?.key} to {groups.at(-1)?.key}. The highest bar has {most.toLocaleString('en')}. The narrow part was
        read.
      </figcaption>
    </figure>
  );
}

function Table({ name, groups }: { readonly name: string; readonly groups: readonly Group[] }) {
  return (
    <details open={name === 'site'}>
      <summary>By {name}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{name === 'site' ? 'Site' : 'Day'}</th>
            <th scope="col">Views</th>
            <th scope="col">Read</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ key, views, reads }) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              <td>{views.toLocaleString('en')}</td>
              <td>{reads.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <a class="button" download={`views-by-${name}.csv`} href={csvOf(name, groups)}>
        Download CSV
      </a>
    </details>
  );
}

/** Keys are dates and hosts, so none needs quotes. */
function csvOf(name: string, groups: readonly Group[]): string {
  const lines = [[name, 'views', 'reads'], ...groups.map(({ key, views, reads }) => [key, views, reads])];
  return `data:text/csv;charset=utf-8,${encodeURIComponent(lines.map((line) => `${line.join(',')}\r\n`).join(''))}`;
}
