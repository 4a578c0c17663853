import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  readonly heading: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A native modal dialog, which traps the focus and closes on Escape. The browser then restores the focus. */
export function Dialog({ heading, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onCancel={onClose}>
      <h2 id={id}>{heading}</h2>
      {children}
    </dialog>
  );
}
