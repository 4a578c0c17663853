import { useEffect, useRef } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { titleOf } from './embed-view-model.ts';
/** Deleting is for ever, so it is asked for twice. The dialog is the browser's: it keeps the focus, and Escape closes it. */
export function ConfirmDelete({ embed, onCancel, onConfirm }) {
  const dialog = useRef(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return _jsxs('dialog', {
    ref: dialog,
    class: 'dialog',
    'aria-labelledby': 'confirm-heading',
    'aria-describedby': 'confirm-text',
    onCancel: onCancel,
    children: [
      _jsxs('h2', { id: 'confirm-heading', children: ['Delete \u201C', titleOf(embed), '\u201D?'] }),
      _jsx('p', {
        id: 'confirm-text',
        children: 'Sites that show it will show a notice in its place. This cannot be undone.',
      }),
      _jsxs('div', {
        class: 'actions',
        children: [
          _jsx('button', { type: 'button', class: 'button', onClick: onCancel, children: 'Cancel' }),
          _jsx('button', { type: 'button', class: 'button destructive', onClick: onConfirm, children: 'Delete embed' }),
        ],
      }),
    ],
  });
}
