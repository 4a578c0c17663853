import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { FaultText } from './field.tsx';

const FAMILIES = ['default', 'Inter', 'Lora', 'Merriweather'];
/** Any family may be typed; some that read well are one click away. */
export function FontField({ draft, faults, onChange, isDisabled }) {
  const complete = () => {
    const font = draft.font.trim() || 'default';
    if (font !== draft.font) onChange({ font });
  };
  return _jsxs('div', {
    class: 'field',
    children: [
      _jsx('label', { for: 'font', children: 'Font' }),
      _jsx('input', {
        id: 'font',
        class: 'input',
        autoComplete: 'off',
        autoCapitalize: 'words',
        spellcheck: false,
        maxLength: 64,
        placeholder: 'default',
        value: draft.font,
        disabled: isDisabled,
        'aria-invalid': faults.font !== undefined,
        'aria-describedby': 'font-hint font-fault',
        onInput: ({ currentTarget }) => onChange({ font: currentTarget.value }),
        onBlur: complete,
      }),
      _jsx(FaultText, { of: 'font', name: 'The font', faults: faults }),
      _jsx('fieldset', {
        class: 'chips',
        'aria-label': 'Fonts to choose from',
        children: FAMILIES.map((font) =>
          _jsx(
            'button',
            {
              type: 'button',
              class: 'chip',
              disabled: isDisabled,
              'aria-pressed': font === draft.font,
              onClick: () => onChange({ font }),
              children: font,
            },
            font,
          ),
        ),
      }),
      _jsx('p', {
        id: 'font-hint',
        class: 'hint',
        children: '\u201Cdefault\u201D is the reader\u2019s system font; any other name is a web font family.',
      }),
    ],
  });
}
