import { Dialog } from './dialog.tsx';

interface Props {
  readonly heading: string;
  readonly text: string;
  /** The label of the button that confirms. */
  readonly action: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

export function ConfirmDialog({ heading, text, action, onCancel, onConfirm }: Props) {
  return (
    <Dialog heading={heading} onClose={onCancel}>
      <p>{text}</p>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class="button destructive" onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
