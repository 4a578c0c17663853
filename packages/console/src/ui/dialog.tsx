import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly heading: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * A native modal dialog, which traps the focus. It closes on Escape, on a click outside, and with its view: Back would leave it in a hidden view,
 * and nothing on the page could be clicked. The browser then restores the focus.
 */
export function Dialog({ heading, class: extraClass = '', onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const latest = useRef(onClose);
  latest.current = onClose;
  // at once: keys that are pressed as soon as it is visible belong to it
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const close = () => latest.current();
    addEventListener('hashchange', close);
    return () => {
      removeEventListener('hashchange', close);
      element?.close();
    };
  }, []);
  return (
    <dialog ref={dialog} class={`dialog ${extraClass}`} aria-labelledby={id} closedby="any" onCancel={onClose}>
      <h2 id={id}>{heading}</h2>
      {children}
    </dialog>
  );
}
