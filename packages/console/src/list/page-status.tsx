import { useState } from 'preact/hooks';
import type { ListedEmbedFragment, PageState } from '../generated/operations.ts';
import { Icon } from '../ui/icons.tsx';

/** Short names of states for badges. Pages that are shown need none. */
const LABELS: Readonly<Record<Exclude<PageState, 'SHOWN'>, string>> = {
  PENDING: 'Not loaded yet',
  NO_ARTICLE: 'No article',
  NEEDS_BROWSER: 'Needs a browser',
  FORBIDDEN: 'Access denied',
  GONE: 'Gone',
  NOT_A_PAGE: 'Not a page',
  TOO_LARGE: 'Too large',
  UNREACHABLE: 'Unreachable',
  NOT_ALLOWED: 'Copy not allowed',
};

/** Returns the state of a page for a column. */
export function shortStateOf({ state }: ListedEmbedFragment['page']): string {
  return state === 'SHOWN' ? 'Shown' : LABELS[state];
}

interface PageStatusProps extends Pick<ListedEmbedFragment, 'page'> {
  /** Why the last change of the embed failed; it is shown in place of the state. */
  readonly failure?: string | undefined;
}

/** Says why an embed shows a card, or why its copy could not be updated. The end of a long reason is in the tooltip. */
export function PageStatus({ page: { state, reason }, failure }: PageStatusProps) {
  if (failure !== undefined)
    return (
      <p class="page-status" data-state="FAILED" title={failure}>
        <span class="badge">Not changed</span> <span class="reason">{failure}</span>
      </p>
    );
  if (state === 'SHOWN' && reason === null) return null;
  return (
    <p class="page-status" data-state={state} title={reason ?? undefined}>
      {state !== 'SHOWN' && <span class="badge">{LABELS[state]}</span>}
      {reason !== null && <span class="reason">{state === 'SHOWN' ? `Not updated: ${reason}` : reason}</span>}
    </p>
  );
}

interface RefreshButtonProps {
  readonly title: string;
  readonly onRefresh: () => Promise<void>;
}

/** Stays focusable while the page is refreshed. The outcome is announced as a notice. */
export function RefreshButton({ title, onRefresh }: RefreshButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const refresh = async () => {
    if (isBusy) return;
    setBusy(true);
    await onRefresh();
    setBusy(false);
  };
  return (
    <button type="button" class="button ghost icon-only" title="Refresh" aria-busy={isBusy} onClick={refresh}>
      <Icon name="refresh" />
      <span class="visually-hidden">{`Refresh ${title}`}</span>
    </button>
  );
}
