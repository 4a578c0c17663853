import { useEffect, useRef, useState } from 'preact/hooks';
import { apiErrorOf } from '../api/api-error.ts';
import type { ApiClient } from '../api/client.ts';
import { runBatch, sendWithRetries } from '../bulk/run-batch.ts';
import { COLUMNS } from '../generated/fields.ts';
import { CheckEmbedsDocument, type CheckEmbedsQuery, ImportEmbedDocument } from '../generated/operations.ts';
import type { ImportRow, ParsedImport, RejectedRow } from './parse-import.ts';

export interface ImportProgress {
  readonly created: number;
  /** Rows that an earlier import had created. */
  readonly repeated: number;
  readonly pausedForS: number | null;
  readonly isRunning: boolean;
}

export interface ImportState {
  readonly file: ParsedImport | null;
  /** Why the file is rejected as a whole. */
  readonly fault: string | null;
  /** The rejected rows of the file and of the API, in the order of the file. */
  readonly rejected: readonly RejectedRow[];
  /** Rows that were not sent, or got no response. */
  readonly unsent: readonly ImportRow[];
  /** The rows that are checked by the rules of the API so far; null when all are. */
  readonly checked: number | null;
  /** Null until the import starts. */
  readonly progress: ImportProgress | null;
}

const NO_IMPORT: ImportState = { file: null, fault: null, rejected: [], unsent: [], checked: null, progress: null };

/** Rows that are checked in one call. The API takes 100, and 100 kB: a URL has at most 2 kB. */
const MAX_CHECKED = 40;

/** Imports a file of rows. The import goes on while another view is shown. */
export function useImport({ uncachedClient, withIdempotencyKey }: ApiClient) {
  const [state, setState] = useState(NO_IMPORT);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  function begin(): AbortSignal {
    controller.current?.abort();
    controller.current = new AbortController();
    return controller.current.signal;
  }

  /** Does nothing while rows are sent. */
  async function open(file: File): Promise<void> {
    if (state.progress?.isRunning) return;
    const signal = begin();
    const { MAX_IMPORT_BYTES, parseImport } = await import('./parse-import.ts');
    if (signal.aborted) return;
    if (file.size > MAX_IMPORT_BYTES) {
      const bound = `${MAX_IMPORT_BYTES / 1_000_000} MB`;
      const fault = `“${file.name}” is larger than ${bound}. Split it, or use the command “embed-gateway import”.`;
      return setState({ ...NO_IMPORT, fault });
    }
    const parsed = parseImport(file.name, await file.arrayBuffer());
    if (signal.aborted) return;
    if ('fault' in parsed) setState({ ...NO_IMPORT, fault: `“${file.name}” cannot be imported. ${parsed.fault}` });
    else await check(parsed, signal);
  }

  /** Asks the API which rows it would reject, so that the preview says what will be created. */
  async function check(file: ParsedImport, signal: AbortSignal): Promise<void> {
    const rejected = [...file.rejected];
    const accepted: ImportRow[] = [];
    setState({ ...NO_IMPORT, file, rejected, unsent: file.rows, checked: 0 });
    for (let i = 0; i < file.rows.length; i += MAX_CHECKED) {
      const rows = file.rows.slice(i, i + MAX_CHECKED);
      let checks: CheckEmbedsQuery['checkEmbeds'] = [];
      const send = async () => {
        const inputs = rows.map(({ draft }) => draft);
        const { data, error } = await uncachedClient.query(CheckEmbedsDocument, { inputs }).toPromise();
        checks = data?.checkEmbeds ?? [];
        return error ? apiErrorOf(error) : null;
      };
      await sendWithRetries(send, { signal });
      if (signal.aborted) return;
      for (const [n, row] of rows.entries()) {
        const faults = checks[n]?.faults ?? [];
        const byField = Object.fromEntries(faults.map(({ path, message }) => [path, message]));
        // a row that could not be checked is checked when it is sent
        if (faults.length === 0) accepted.push(row);
        else rejected.push({ row: row.row, cells: row.cells, reason: reasonOf(byField, '') });
      }
      setState((last) => ({ ...last, checked: i + rows.length }));
    }
    rejected.sort((a, b) => a.row - b.row);
    setState((last) => ({ ...last, rejected, unsent: accepted, checked: null }));
  }

  /** Sends the rows that were not sent, with keys that make a repetition harmless. */
  async function start(): Promise<void> {
    const signal = begin();
    const progress = { created: 0, repeated: 0, pausedForS: null, isRunning: true, ...state.progress };
    const unsent = new Map(state.unsent.map((row) => [row.row, row]));
    const rejected = [...state.rejected];
    const show = (change: Partial<ImportProgress>) => {
      Object.assign(progress, change);
      setState((last) => ({
        ...last,
        rejected: [...rejected],
        unsent: [...unsent.values()],
        progress: { ...progress },
      }));
    };
    show({ isRunning: true });
    await runBatch({
      items: state.unsent,
      async send({ draft: input, idempotencyKey }) {
        const context = withIdempotencyKey(idempotencyKey);
        const { data, error } = await uncachedClient.mutation(ImportEmbedDocument, { input }, context).toPromise();
        if (data?.createEmbed.replayed) progress.repeated++;
        else if (data) progress.created++;
        return error ? apiErrorOf(error) : null;
      },
      onSettled({ row, cells }, error) {
        const isFinal = error === null || error.code === 'BAD_USER_INPUT';
        if (isFinal) unsent.delete(row);
        if (error && isFinal) rejected.push({ row, cells, reason: reasonOf(error.faults, error.message) });
        show({});
      },
      onPause: (pausedForS) => show({ pausedForS }),
      signal,
    });
    rejected.sort((a, b) => a.row - b.row);
    show({ isRunning: false, pausedForS: null });
  }

  return {
    state,
    open,
    start,
    stop: () => controller.current?.abort(),
    reset() {
      controller.current?.abort();
      setState(NO_IMPORT);
    },
  };
}

export type Import = ReturnType<typeof useImport>;

function reasonOf(faults: Readonly<Record<string, string>>, message: string): string {
  const columnOf = (field: string) => COLUMNS.find(({ name }) => name === field)?.column ?? field;
  const reasons = Object.entries(faults).map(([field, fault]) => `${columnOf(field)} ${fault}`);
  return reasons.length === 0 ? message : `${reasons.join('; ')}.`;
}
