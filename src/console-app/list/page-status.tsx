import { useState } from 'preact/hooks';
import type { ListedEmbedFragment, PageState } from '../../generated/console-operations.ts';
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

/** Says why an embed shows a card, or why its copy could not be updated. */
export function PageStatus({ page }: Pick<ListedEmbedFragment, 'page'>) {
  const { state, reason } = page;
  if (state === 'SHOWN' && reason === null) return null;
  return (
    <p class="page-status" data-state={state}>
      {state !== 'SHOWN' && <span class="badge">{LABELS[state]}</span>}
      {reason !== null && <span>{state === 'SHOWN' ? `Not updated: ${reason}` : reason}</span>}
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
