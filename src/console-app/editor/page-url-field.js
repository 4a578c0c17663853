import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { FaultText } from './field.tsx';
export function PageUrlField({ draft, faults, onChange, isDisabled }) {
  const complete = () => {
    const pageUrl = completeUrl(draft.pageUrl);
    if (pageUrl !== draft.pageUrl) onChange({ pageUrl });
  };
  return _jsxs('div', {
    class: 'field',
    children: [
      _jsx('label', { for: 'page-url', children: 'Page URL' }),
      _jsx('input', {
        id: 'page-url',
        class: 'input',
        type: 'url',
        inputMode: 'url',
        autoComplete: 'off',
        autoCapitalize: 'off',
        spellcheck: false,
        placeholder: 'https://example.com/article',
        value: draft.pageUrl,
        disabled: isDisabled,
        'aria-invalid': faults.pageUrl !== undefined,
        'aria-describedby': 'page-url-hint pageUrl-fault',
        onInput: ({ currentTarget }) => onChange({ pageUrl: currentTarget.value }),
        onBlur: complete,
      }),
      _jsx(FaultText, {
        of: 'pageUrl',
        name: 'The URL',
        faults: faults,
        whenEmpty: draft.pageUrl.trim() === '' ? 'Enter the URL of a page.' : undefined,
      }),
      _jsx('p', {
        id: 'page-url-hint',
        class: 'hint',
        children: 'Any public page. Its article is shown; a page without one becomes a card with a link.',
      }),
    ],
  });
}
/** What people type for an address, as an address: without spaces around, and with a scheme. */
export function completeUrl(text) {
  const url = text.trim();
  return /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(url) ? `https://${url}` : url;
}
