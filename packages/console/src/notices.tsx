import { useCallback, useLayoutEffect, useState } from 'preact/hooks';
import { focusViewIfLost } from './list/list-head.tsx';
import type { Route } from './route.ts';
import { Icon } from './ui/icons.tsx';

/** The time until a notice disappears. Errors stay until they are dismissed or, without an action, the view changes. */
const SHOWN_MS = 6_000;

export interface Notice {
  readonly text: string;
  readonly isError?: boolean;
  /** A button, which also dismisses the notice. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** The time until the notice disappears, if it is not the usual one. */
  readonly shownMs?: number;
}

/** Shows a notice, and returns a function that dismisses it. */
export type Notify = (notice: Notice) => () => void;

interface ShownNotice extends Notice {
  readonly id: number;
}

let lastId = 0;

export function useNotices(view: Route['view']) {
  const [notices, setNotices] = useState<readonly ShownNotice[]>([]);
  const dismiss = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const notify = useCallback<Notify>(
    (notice) => {
      const id = ++lastId;
      setNotices((all) => [...all.slice(-2), { ...notice, id }]);
      if (!notice.isError) setTimeout(dismiss, notice.shownMs ?? SHOWN_MS, id);
      return () => dismiss(id);
    },
    [dismiss],
  );
  useLayoutEffect(() => setNotices((all) => all.filter(({ isError, action }) => !isError || action)), [view]);
  return { notices, notify, dismiss };
}

interface Props {
  readonly notices: readonly ShownNotice[];
  readonly onDismiss: (id: number) => void;
}

/** A live region: screen readers announce notices politely, and errors at once. */
export function Notices({ notices, onDismiss }: Props) {
  const dismiss = (id: number) => {
    onDismiss(id);
    // the button had the focus
    requestAnimationFrame(focusViewIfLost);
  };
  return (
    <section class="notices" aria-label="Notices" aria-live="polite">
      {notices.map(({ id, text, isError, action }) => (
        <div key={id} class={isError ? 'notice error' : 'notice'} role={isError ? 'alert' : undefined}>
          <Icon name={isError ? 'warning' : 'check'} />
          <p>{text}</p>
          {action && (
            <button
              type="button"
              class="button ghost small"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button ghost icon-only" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </section>
  );
}
