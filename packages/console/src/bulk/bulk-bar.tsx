import { useEffect, useRef, useState } from 'preact/hooks';
import type { Settings } from '../editor/draft.ts';
import { SETTINGS, type Setting } from '../generated/fields.ts';
import { capitalise } from '../list/embed-view-model.ts';
import { Icon } from '../ui/icons.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import type { BulkChange } from './use-bulk-change.ts';

interface Props {
  readonly count: number;
  /** The number of embeds in the list, with those that are not loaded yet. */
  readonly total: number;
  readonly shownCount: number;
  readonly canWrite: boolean;
  readonly change: BulkChange | null;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  readonly onSet: (settings: Partial<Settings>) => void;
  readonly onStop: () => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}

/** The actions for the selected embeds, and the progress of the last one. */
export function BulkBar({ count, total, shownCount, canWrite, change, ...actions }: Props) {
  const [setting, setSetting] = useState<Setting | null>(null);
  const isRunning = change?.isRunning === true;
  const bar = useRef<HTMLElement>(null);
  // the buttons change with it, and the one with the focus is lost
  useEffect(() => {
    if (document.activeElement === document.body) bar.current?.focus({ preventScroll: true });
  }, [isRunning]);
  if (count === 0 && !change) return null;
  return (
    <section ref={bar} class="bulk-bar" tabIndex={-1} aria-label="Selected embeds">
      <p role="status">
        <b>{count.toLocaleString('en')} selected</b>
        {change && <span>{progressText(change)}</span>}
      </p>
      {change && isRunning && <progress aria-label="Changed embeds" max={change.total} value={change.done} />}
      <div class="actions">
        {isRunning ? (
          <button type="button" class="button small" onClick={actions.onStop}>
            Stop
          </button>
        ) : (
          <>
            {count < shownCount && (
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

function progressText({ total, done, failures, pausedForS, isRunning }: BulkChange): string {
  const changed = done - failures.size;
  const failed = failures.size === 0 ? '' : `, ${failures.size.toLocaleString('en')} failed`;
  const pause = pausedForS === null ? '' : ` Waiting ${pausedForS} s, because the service asks for it.`;
  const verb = isRunning ? 'Changing' : 'Changed';
  return ` ${verb} ${changed.toLocaleString('en')} of ${total.toLocaleString('en')}${failed}.${pause}`;
}
