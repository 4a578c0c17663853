import { useEffect, useRef } from 'preact/hooks';

interface Props {
  readonly heading: string;
  readonly text: string;
  /** The label of the button that confirms. */
  readonly action: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** A native modal dialog, which traps the focus and closes on Escape. */
export function ConfirmDialog({ heading, text, action, onCancel, onConfirm }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="confirm-heading"
      aria-describedby="confirm-text"
      onCancel={onCancel}
    >
      <h2 id="confirm-heading">{heading}</h2>
      <p id="confirm-text">{text}</p>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class="button destructive" onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
