import { useEffect, useRef } from 'preact/hooks';
import type { ListedEmbedFragment } from '../../generated/console-operations.ts';
import { titleOf } from './embed-view-model.ts';

interface Props {
  readonly embed: ListedEmbedFragment;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** Deleting is for ever, so it is asked for twice. The dialog is the browser's: it keeps the focus, and Escape closes it. */
export function ConfirmDelete({ embed, onCancel, onConfirm }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="confirm-heading"
      aria-describedby="confirm-text"
      onCancel={onCancel}
    >
      <h2 id="confirm-heading">Delete “{titleOf(embed)}”?</h2>
      <p id="confirm-text">Sites that show it will show a notice in its place. This cannot be undone.</p>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class="button destructive" onClick={onConfirm}>
          Delete embed
        </button>
      </div>
    </dialog>
  );
}
