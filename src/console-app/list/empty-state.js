import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { addressOfNew, NEW } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';

const EXAMPLE_PAGE = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
const STEPS = [
  { icon: 'page', title: 'Pick a page', text: 'The URL of any public page. Its article is taken out and cleaned.' },
  {
    icon: 'sliders',
    title: 'Set the look',
    text: 'Light or dark, a font, with or without a top bar. You see it as you go.',
  },
  { icon: 'code', title: 'Paste the snippet', text: 'An iframe for your site that fits itself to its content.' },
];
/** What a newcomer sees: what embeds are and, where there may be one, the two ways to the first. */
export function EmptyState({ mayWrite }) {
  return _jsxs('section', {
    class: 'empty',
    'aria-labelledby': 'empty-heading',
    children: [
      _jsx('h2', { id: 'empty-heading', children: 'Show any public page inside your site' }),
      _jsx('p', {
        class: 'lead',
        children: 'This account has no embeds yet. An embed is a page in your colours, ready for an iframe.',
      }),
      mayWrite
        ? _jsx(FirstSteps, {})
        : _jsx('p', {
            class: 'note',
            children: 'This token may only read. Sign in with one that may write to create embeds.',
          }),
    ],
  });
}
function FirstSteps() {
  return _jsxs(_Fragment, {
    children: [
      _jsx('ol', {
        class: 'steps',
        children: STEPS.map(({ icon, title, text }) =>
          _jsxs(
            'li',
            {
              children: [
                _jsx('span', { class: 'step-icon', children: _jsx(Icon, { name: icon }) }),
                _jsx('h3', { children: title }),
                _jsx('p', { children: text }),
              ],
            },
            title,
          ),
        ),
      }),
      _jsxs('div', {
        class: 'actions',
        children: [
          _jsxs('a', {
            class: 'button primary',
            href: NEW,
            children: [_jsx(Icon, { name: 'plus' }), 'Create your first embed'],
          }),
          _jsx('a', { class: 'button', href: addressOfNew(EXAMPLE_PAGE), children: 'Try it with an example' }),
        ],
      }),
      _jsx(FromCode, {}),
    ],
  });
}
function FromCode() {
  const command = `curl ${location.origin}/v1/embeds -H "Authorization: Bearer $TOKEN" \\\n  -d page_url=${EXAMPLE_PAGE}`;
  return _jsxs('div', {
    class: 'from-code',
    children: [
      _jsxs('div', {
        class: 'code-head',
        children: [
          _jsx('h3', { children: 'Or from code' }),
          _jsx(CopyButton, { what: 'Command', label: 'Copy', text: command }),
        ],
      }),
      _jsx('pre', { tabIndex: 0, children: _jsx('code', { children: command }) }),
    ],
  });
}
