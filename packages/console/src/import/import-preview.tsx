import { IMPORTED_COLUMNS, type ImportRow, type RejectedRow } from './parse-import.ts';

/** Longer tables would slow the page down; the download has all rejected rows. */
const MAX_SHOWN_ROWS = 10;
const MAX_SHOWN_REJECTED = 200;

interface Props {
  readonly rows: readonly ImportRow[];
  readonly rejected: readonly RejectedRow[];
  readonly isStarted: boolean;
}

/** The first rows of a file, and its rejected rows with the reasons. */
export function ImportPreview({ rows: accepted, rejected, isStarted }: Props) {
  const rows = accepted.slice(0, MAX_SHOWN_ROWS);
  return (
    <>
      {rejected.length > 0 && (
        <RowTable
          heading={endedBy('Rejected rows', rejected.length, MAX_SHOWN_REJECTED)}
          columns={['Row', 'Reason', 'page_url']}
          rows={rejected
            .slice(0, MAX_SHOWN_REJECTED)
            .map(({ row, reason, cells }) => [String(row), reason, cells[IMPORTED_COLUMNS.indexOf('page_url')] ?? ''])}
        />
      )}
      {!isStarted && rows.length > 0 && (
        <RowTable
          heading={endedBy('Preview', accepted.length, MAX_SHOWN_ROWS)}
          columns={['Row', ...IMPORTED_COLUMNS]}
          rows={rows.map(({ row, cells }) => [String(row), ...cells.map((cell) => cell || 'default')])}
        />
      )}
    </>
  );
}

function endedBy(heading: string, count: number, shown: number): string {
  return count > shown ? `${heading} (the first ${shown} of ${count.toLocaleString('en')})` : heading;
}

interface TableProps {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function RowTable({ heading, columns, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need focus to scroll
    <section class="row-table" tabIndex={0} aria-label={heading}>
      <table>
        <caption>{heading}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]}>
              {cells.map((cell, i) => (
                <td key={columns[i]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
