import { useEffect, useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { Icon } from './icons.tsx';

const OUTCOME_SHOWN_MS = 2_000;

interface Props {
  /** The noun for the announced outcome, such as "URL". */
  readonly name: string;
  readonly label: string;
  readonly text: string;
  /** The end of the label for screen readers, where only the layout shows it. */
  readonly subject?: string;
}

/** Copies a text to the clipboard, and shows and announces the outcome. */
export function CopyButton({ name, label, text, subject }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(setOutcome, OUTCOME_SHOWN_MS, null);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'failed');
  return (
    <button type="button" class="button ghost small copy" data-outcome={outcome} onClick={copy}>
      <Icon name={outcome === 'copied' ? 'check' : 'copy'} />
      <span aria-hidden={outcome !== null}>{label}</span>
      {subject && <span class="visually-hidden">{` ${subject}`}</span>}
      <span class="visually-hidden" role="status">
        {outcome === 'copied' && `${name} copied`}
        {outcome === 'failed' && `${name} could not be copied`}
      </span>
    </button>
  );
}
