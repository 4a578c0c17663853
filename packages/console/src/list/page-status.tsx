import { useState } from 'preact/hooks';
import type { ListedEmbedFragment, PageState } from '../generated/operations.ts';
import { Icon } from '../ui/icons.tsx';

/** Short names of states. A page that is shown needs no badge. */
export const STATE_LABELS: Readonly<Record<PageState, string>> = {
  SHOWN: 'Shown',
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
export function shortStateOf({ state, movedTo }: ListedEmbedFragment['page']): string {
  return state === 'SHOWN' && movedTo !== null ? 'Moved' : STATE_LABELS[state];
}

/**
 * Says that an embed shows a card, that its copy could not be updated, or that its page has moved. The reason is in the
 * tooltip, and for screen readers.
 */
export function PageStatus({ page: { state, reason: why, movedTo } }: Pick<ListedEmbedFragment, 'page'>) {
  const reason = why ?? (movedTo && `The page has moved to ${movedTo}`);
  if (state === 'SHOWN' && reason === null) return null;
  const label = why === null ? 'Moved' : 'Not updated';
  return (
    <span class="page-status" data-state={state} title={reason ?? undefined}>
      <span class="badge">{state === 'SHOWN' ? label : STATE_LABELS[state]}</span>
      {reason !== null && <span class="visually-hidden reason">{reason}</span>}
    </span>
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
