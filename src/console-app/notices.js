import { useCallback, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { CopyButton } from './ui/copy-button.tsx';
import { Icon } from './ui/icons.tsx';

/** How long good news stay. What went wrong stays until it is dismissed. */
const SHOWN_MS = 6000;
let lastId = 0;
export function useNotices() {
  const [notices, setNotices] = useState([]);
  const dismiss = useCallback((id) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const notify = useCallback(
    (notice) => {
      const id = ++lastId;
      setNotices((all) => [...all.slice(-2), { ...notice, id }]);
      if (!notice.isError) setTimeout(dismiss, SHOWN_MS, id);
    },
    [dismiss],
  );
  return { notices, notify, dismiss };
}
/** Spoken as it comes; good news do not interrupt. */
export function Notices({ notices, onDismiss }) {
  return _jsx('section', {
    class: 'notices',
    'aria-label': 'Notices',
    'aria-live': 'polite',
    children: notices.map(({ id, text, isError, snippet }) =>
      _jsxs(
        'div',
        {
          class: isError ? 'notice error' : 'notice',
          role: isError ? 'alert' : undefined,
          children: [
            _jsx(Icon, { name: isError ? 'warning' : 'check' }),
            _jsx('p', { children: text }),
            snippet && _jsx(CopyButton, { what: 'Snippet', label: 'Copy snippet', text: snippet }),
            _jsx('button', {
              type: 'button',
              class: 'button ghost icon-only',
              'aria-label': 'Dismiss',
              onClick: () => onDismiss(id),
              children: _jsx(Icon, { name: 'close' }),
            }),
          ],
        },
        id,
      ),
    ),
  });
}
