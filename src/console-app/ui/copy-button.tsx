import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

const DONE_MS = 2_000;

interface Props {
  readonly what: string;
  readonly label: string;
  readonly text: string;
  /** Of what, where the surroundings do not say it to a screen reader. */
  readonly of?: string;
}

/** Copies a text, and says that it did, by sight and by voice. */
export function CopyButton({ what, label, text, of }: Props) {
  const [outcome, setOutcome] = useState<'done' | 'failed' | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(setOutcome, DONE_MS, null);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? 'done' : 'failed');
  return (
    <button type="button" class="button ghost small copy" data-outcome={outcome} onClick={copy}>
      <Icon name={outcome === 'done' ? 'check' : 'copy'} />
      <span aria-hidden={outcome !== null}>{label}</span>
      {of && <span class="spoken">{` of ${of}`}</span>}
      <span class="spoken" role="status">
        {outcome === 'done' && `${what} copied`}
        {outcome === 'failed' && `${what} could not be copied`}
      </span>
    </button>
  );
}

/** Browsers give pages the clipboard over TLS and on this machine; elsewhere there is the old way. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement as HTMLElement | null;
  field.value = text;
  field.className = 'spoken';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isDone;
}
