import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { CopyButton } from '../ui/copy-button.tsx';
import { oembedUrlOf } from './embed-view-model.ts';
/** What one takes away from an embed: to paste, to link, and for other tools. */
export function Share({ embed }) {
  const ways = [
    { what: 'Snippet', hint: 'HTML for your page', text: embed.html },
    { what: 'URL', hint: 'for an iframe of your own', text: embed.embedUrl },
    { what: 'oEmbed link', hint: 'for other tools', text: oembedUrlOf(embed) },
  ];
  return _jsxs('section', {
    class: 'panel',
    'aria-labelledby': 'share-heading',
    children: [
      _jsx('h2', { id: 'share-heading', children: 'Share' }),
      ways.map(({ what, hint, text }) =>
        _jsxs(
          'div',
          {
            class: 'way',
            children: [
              _jsxs('p', { children: [_jsx('b', { children: what }), ' ', _jsx('span', { children: hint })] }),
              _jsx(CopyButton, { what: what, label: 'Copy', text: text, of: what }),
              _jsx('code', { class: 'excerpt', children: text }),
            ],
          },
          what,
        ),
      ),
    ],
  });
}
