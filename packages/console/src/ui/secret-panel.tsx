import { useEffect } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';

interface Props {
  readonly heading: string;
  readonly hint: string;
  readonly secret: string;
  /** What is copied. */
  readonly name: string;
  readonly onDone: () => void;
}

/** A new secret, until the user has copied it. */
export function SecretPanel({ heading, hint, secret, name, onDone }: Props) {
  useEffect(() => document.getElementById('secret-heading')?.focus(), []);
  return (
    <section class="panel secret" aria-labelledby="secret-heading">
      <h2 id="secret-heading" tabIndex={-1}>
        {heading}
      </h2>
      <p class="hint">{hint}</p>
      <code class="secret-text">{secret}</code>
      <div class="actions">
        <CopyButton name={name} label={`Copy ${name.toLowerCase()}`} text={secret} />
        <button type="button" class="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
