import { useEffect, useRef, useState } from 'preact/hooks';
import type { Settings } from '../editor/draft.ts';
import { SETTINGS, type Setting } from '../generated/fields.ts';
import { capitalise } from '../list/embed-view-model.ts';
import { focusViewIfLost } from '../list/list-head.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyView } from '../ui/lazy-view.tsx';
import type { BulkChange } from './send-calls.ts';

const SettingDialog = lazyView(async () => (await import('./setting-dialog.tsx')).SettingDialog, false);

interface Props {
  readonly count: number;
  /** All embeds that match are selected, also those that are not loaded. */
  readonly isWhole: boolean;
  readonly isTotalExact: boolean;
  /** The number of embeds in the list, with those that are not loaded yet. */
  readonly total: number;
  readonly shownCount: number;
  readonly canWrite: boolean;
  readonly change: BulkChange | null;
  readonly isRunning: boolean;
  readonly onSelectAll: () => void;
  readonly onSelectWhole: () => void;
  readonly onClear: () => void;
  readonly onSet: (settings: Partial<Settings>) => void;
  readonly onStop: () => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}

/** The actions for the selected embeds, and the progress of the last one. */
export function BulkBar({
  count,
  isWhole,
  isTotalExact,
  total,
  shownCount,
  canWrite,
  change,
  isRunning,
  ...actions
}: Props) {
  const [setting, setSetting] = useState<Setting | null>(null);
  const all = `${total.toLocaleString('en')}${isTotalExact ? '' : '+'}`;
  const isShown = count > 0 || change !== null;
  const bar = useRef<HTMLElement>(null);
  const wasShown = useRef(false);
  // the buttons change with it or go, and the one with the focus is lost
  useEffect(() => {
    if (isShown && document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
    else if (wasShown.current) focusViewIfLost();
    wasShown.current = isShown;
  }, [isRunning, isShown]);
  if (!isShown) return null;
  return (
    <section ref={bar} id="bulk-bar" class="bulk-bar" tabIndex={-1} aria-label="Selected embeds">
      <p role="status">
        {!isRunning && (
          <b>{isWhole ? `All ${all} that match are selected` : `${count.toLocaleString('en')} selected`}</b>
        )}
        {change && <span>{progressText(change)}</span>}
      </p>
      {change && isRunning && <progress aria-label="Handled embeds" max={change.total} value={change.done} />}
      <div class="actions">
        {isRunning ? (
          <button type="button" class="button small" onClick={actions.onStop}>
            {change?.phase === 'waiting' ? 'Undo' : 'Stop'}
          </button>
        ) : (
          <>
            {change?.undo && (
              <button type="button" class="button small" onClick={change.undo}>
                Undo
              </button>
            )}
            {!isWhole && count > 0 && count === shownCount && shownCount < total && (
              <button type="button" class="button small primary" onClick={actions.onSelectWhole}>
                Select all {all} that match
              </button>
            )}
            {!isWhole && count < shownCount && (
              <button type="button" class="button small" onClick={actions.onSelectAll}>
                Select all {shownCount.toLocaleString('en')}
                {shownCount < total && ' loaded'}
              </button>
            )}
            {canWrite &&
              SETTINGS.map((each) => (
                <button
                  key={each.name}
                  type="button"
                  class="button small"
                  disabled={count === 0}
                  onClick={() => setSetting(each)}
                >
                  {capitalise(each.label)}…
                </button>
              ))}
            <button type="button" class="button small" disabled={count === 0} onClick={actions.onExport}>
              Export CSV
            </button>
            {canWrite && (
              <button type="button" class="button small danger" disabled={count === 0} onClick={actions.onDelete}>
                Delete
              </button>
            )}
            <button
              type="button"
              class="button ghost icon-only"
              aria-label="Clear the selection"
              onClick={actions.onClear}
            >
              <Icon name="close" />
            </button>
          </>
        )}
      </div>
      {setting && (
        <SettingDialog
          setting={setting}
          count={count}
          onClose={() => setSetting(null)}
          onApply={(settings) => {
            setSetting(null);
            actions.onSet(settings);
          }}
        />
      )}
    </section>
  );
}

const VERBS = {
  change: ['Changing', 'Changed'],
  deletion: ['Deleting', 'Deleted'],
  export: ['Reading', 'Read'],
  undo: ['Restoring', 'Restored'],
} as const;

/** Returns the progress of a change, as sentences after a space. */
export function progressText({ kind, total, done, error, pausedForS, phase }: BulkChange): string {
  const bound = total.toLocaleString('en');
  if (phase === 'waiting') return ` ${bound} embeds will be deleted in 10 s. Keep this tab open.`;
  const pause = pausedForS === null ? '' : ` Waiting ${pausedForS} s, because the service asks for it.`;
  const verb = VERBS[kind][phase === 'running' ? 0 : 1];
  return ` ${verb} ${done.toLocaleString('en')} of ${bound}.${error === null ? '' : ` ${error}`}${pause}`;
}
