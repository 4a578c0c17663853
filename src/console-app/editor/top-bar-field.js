import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { FaultText } from './field.tsx';
export function TopBarField({ draft, faults, onChange, isDisabled }) {
  const isFixed = draft.mode === 'USER_DEFINED';
  const isOn = draft.showTopBar || isFixed;
  return _jsxs('div', {
    class: 'field row',
    children: [
      _jsxs('div', {
        children: [
          _jsx('label', { for: 'top-bar', children: 'Top bar' }),
          _jsx('p', {
            id: 'top-bar-hint',
            class: 'hint',
            children: isFixed ? 'Always on where readers choose the mode.' : 'Title, site and a link to the original.',
          }),
          _jsx(FaultText, { of: 'showTopBar', name: 'The top bar', faults: faults }),
        ],
      }),
      _jsx('input', {
        id: 'top-bar',
        class: 'switch',
        type: 'checkbox',
        role: 'switch',
        checked: isOn,
        'aria-checked': isOn,
        disabled: isDisabled || isFixed,
        'aria-describedby': 'top-bar-hint showTopBar-fault',
        onChange: ({ currentTarget }) => onChange({ showTopBar: currentTarget.checked }),
      }),
    ],
  });
}
