import { useEffect, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { Icon } from './icons.tsx';

const DONE_MS = 2000;
/** Copies a text, and says that it did, by sight and by voice. */
export function CopyButton({ what, label, text, of }) {
  const [outcome, setOutcome] = useState(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(setOutcome, DONE_MS, null);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? 'done' : 'failed');
  return _jsxs('button', {
    type: 'button',
    class: 'button ghost small copy',
    'data-outcome': outcome,
    onClick: copy,
    children: [
      _jsx(Icon, { name: outcome === 'done' ? 'check' : 'copy' }),
      _jsx('span', { 'aria-hidden': outcome !== null, children: label }),
      of && _jsx('span', { class: 'spoken', children: ` of ${of}` }),
      _jsxs('span', {
        class: 'spoken',
        role: 'status',
        children: [outcome === 'done' && `${what} copied`, outcome === 'failed' && `${what} could not be copied`],
      }),
    ],
  });
}
/** Browsers give pages the clipboard over TLS and on this machine; elsewhere there is the old way. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}
function copyBySelection(text) {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.className = 'spoken';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isDone;
}
