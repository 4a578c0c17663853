import { useEffect, useRef, useState } from 'preact/hooks';
import { SETTINGS } from '../generated/fields.ts';
import { EXAMPLE_PAGE } from '../list/empty-state.tsx';
import { hrefOfLastList } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { usePage } from '../ui/use-page.ts';
import { downloadCsv, writeCsv } from './csv-file.ts';
import { ImportPreview, RowTable } from './import-preview.tsx';
import { IMPORTED, IMPORTED_COLUMNS, MAX_IMPORT_BYTES, MAX_IMPORT_ROWS, REJECTION_COLUMNS } from './parse-import.ts';
import type { Import, ImportState } from './use-import.ts';

interface Props {
  readonly current: Import;
  readonly canWrite: boolean;
}

/** Imports the rows of a CSV file, after a preview. */
export function ImportPage({ current: { state, open, start, stop, reset }, canWrite }: Props) {
  const { file, fault, progress } = state;
  usePage('Import');
  // the button that had the focus disappears when an import begins and when it ends
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [progress?.isRunning]);
  return (
    <main id="main" class="import" tabIndex={-1} aria-labelledby="import-heading">
      <div class="view-head">
        <a class="button ghost icon-only" href={hrefOfLastList()} aria-label="Back to all embeds">
          <Icon name="back" />
        </a>
        <h1 id="import-heading">Import embeds</h1>
      </div>
      {!canWrite && (
        <p class="note">This token is read-only. To import embeds, sign in with a token that has the scope “write”.</p>
      )}
      {canWrite && (
        <div class="split">
          <div>
            <FileDrop isDisabled={progress?.isRunning ?? false} onFile={open} />
            {fault && (
              <p class="note warning" role="alert">
                <Icon name="warning" />
                <span>{fault}</span>
              </p>
            )}
          </div>
          {file ? (
            <section class="panel" aria-labelledby="import-file">
              <h2 id="import-file">{file.name}</h2>
              <p role="status">{summaryOf(state)}</p>
              {progress && (
                <progress
                  aria-label="Imported rows"
                  max={file.rows.length}
                  value={file.rows.length - state.unsent.length}
                />
              )}
              <div class="actions">
                {progress?.isRunning ? (
                  <button type="button" class="button" onClick={stop}>
                    Stop
                  </button>
                ) : (
                  <>
                    {state.unsent.length > 0 && state.checked === null && (
                      <button type="button" class="button primary" onClick={start}>
                        {progress ? 'Continue' : `Import ${countOf(state.unsent.length, 'embed')}`}
                      </button>
                    )}
                    {state.rejected.length > 0 && (
                      <button type="button" class="button" onClick={() => downloadRejected(state)}>
                        Download rejected rows
                      </button>
                    )}
                    <button type="button" class="button ghost" onClick={reset}>
                      {progress ? 'Done' : 'Cancel'}
                    </button>
                  </>
                )}
              </div>
              <ImportPreview rows={state.unsent} rejected={state.rejected} isStarted={progress !== null} />
            </section>
          ) : (
            <FileFormat />
          )}
        </div>
      )}
    </main>
  );
}

/** The values of a column by its type. */
const ALLOWED: Readonly<Record<string, string>> = {
  url: 'URL of a public page',
  text: 'name of a font family',
  boolean: 'true, false',
};

/** The columns of a file, and a file to begin with. */
function FileFormat() {
  const rows = IMPORTED.map(({ name, column, type, values }) => {
    const setting = SETTINGS.find((each) => each.name === name);
    const allowed = values?.join(', ').toLowerCase() ?? ALLOWED[type] ?? type;
    return [column, allowed, setting ? String(setting.default).toLowerCase() : 'required'];
  });
  const example = rows.map(([column, , value = '']) => (column === 'page_url' ? EXAMPLE_PAGE : value));
  return (
    <section class="panel file-format">
      <RowTable heading="Columns of the file" columns={['Column', 'Values', 'If empty']} rows={rows} />
      <p class="hint">
        The first row names the columns. Commas, semicolons or tabs separate them. The other columns of an export are
        ignored. Rows that you import again within 24 hours create no second embed.
      </p>
      <div class="actions">
        <button
          type="button"
          class="button"
          onClick={() => downloadCsv(writeCsv(IMPORTED_COLUMNS, [example]), 'embeds.csv')}
        >
          Download an example
        </button>
      </div>
    </section>
  );
}

interface FileDropProps {
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => Promise<void>;
}

/** A button for keyboards, which is also a target for files. */
function FileDrop({ isDisabled, onFile }: FileDropProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <section
      class="file-drop"
      aria-label="File"
      data-over={isOver || undefined}
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={() => setOver(false)}
    >
      <Icon name="upload" />
      <p>Drop a CSV file here, or</p>
      <button type="button" class="button" disabled={isDisabled} onClick={() => field.current?.click()}>
        Choose a file
      </button>
      <input
        ref={field}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="CSV file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void onFile(file);
          currentTarget.value = '';
        }}
      />
      <p class="hint">
        At most {MAX_IMPORT_BYTES / 1_000_000} MB and {MAX_IMPORT_ROWS.toLocaleString('en')} rows.
      </p>
    </section>
  );
}

function summaryOf({ file, rejected, unsent, checked, progress }: ImportState): string {
  const count = file?.rows.length ?? 0;
  if (checked !== null) return `Checking ${checked.toLocaleString('en')} of ${countOf(count, 'row')}.`;
  const refused = rejected.length === 0 ? '' : ` ${countOf(rejected.length, 'row')} rejected.`;
  if (!progress) return `${countOf(unsent.length, 'row')} to import.${refused}`;
  const { created, repeated, pausedForS, isRunning } = progress;
  const earlier = repeated === 0 ? '' : ` ${countOf(repeated, 'embed')} existed from an import in the last 24 hours.`;
  const rest = unsent.length === 0 ? '' : ` ${countOf(unsent.length, 'row')} not sent${isRunning ? ' yet' : ''}.`;
  const pause = pausedForS === null ? '' : ` Waiting ${pausedForS} s, because the service asks for it.`;
  return `${countOf(created, 'embed')} created.${earlier}${refused}${rest}${pause}`;
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Writes a file that can be corrected and imported. */
function downloadRejected({ file, rejected }: ImportState): void {
  const rows = rejected.map(({ row, reason, cells }) => [String(row), reason, ...cells]);
  downloadCsv(writeCsv([...REJECTION_COLUMNS, ...IMPORTED_COLUMNS], rows), `rejected-${file?.name ?? 'rows.csv'}`);
}
