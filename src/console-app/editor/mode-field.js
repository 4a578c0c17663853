import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { Icon } from '../ui/icons.tsx';
import { FaultText } from './field.tsx';

const MODES = [
  { mode: 'LIGHT', label: 'Light', icon: 'sun', hint: 'Always light.' },
  { mode: 'DARK', label: 'Dark', icon: 'moon', hint: 'Always dark.' },
  { mode: 'AUTO', label: 'Auto', icon: 'system', hint: 'Follows the setting of the reader’s system.' },
  { mode: 'USER_DEFINED', label: 'Reader', icon: 'reader', hint: 'The reader chooses in the top bar.' },
];
export function ModeField({ draft, faults, onChange, isDisabled }) {
  const chosen = MODES.find(({ mode }) => mode === draft.mode);
  return _jsxs('fieldset', {
    class: 'field',
    disabled: isDisabled,
    'aria-describedby': 'mode-hint mode-fault',
    children: [
      _jsx('legend', { children: 'Mode' }),
      _jsx('div', {
        class: 'segments',
        children: MODES.map(({ mode, label, icon }) =>
          _jsxs(
            'label',
            {
              children: [
                _jsx('input', {
                  type: 'radio',
                  name: 'mode',
                  value: mode,
                  checked: mode === draft.mode,
                  onChange: () => onChange({ mode }),
                }),
                _jsx(Icon, { name: icon }),
                _jsx('span', { children: label }),
              ],
            },
            mode,
          ),
        ),
      }),
      _jsx(FaultText, { of: 'mode', name: 'The mode', faults: faults }),
      _jsx('p', { id: 'mode-hint', class: 'hint', 'aria-live': 'polite', children: chosen?.hint }),
    ],
  });
}
