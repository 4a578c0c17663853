import { Icon } from './icons.tsx';

interface Props {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Opens the form that wide screens show beside the list. Narrow ones show the list first. */
export function FormOpener({ label, isOpen, onToggle }: Props) {
  return (
    <button type="button" class="button primary form-opener" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="plus" />
      {label}
    </button>
  );
}
