import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { addressOfEmbed } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { isPending, MODE_LABELS, oembedUrlOf, siteOf, titleOf } from './embed-view-model.ts';
import { Thumbnail } from './thumbnail.tsx';
/** An embed in the list. The whole of it leads to the embed, as its title does; what else can be done has buttons. */
export function EmbedCard({ embed, mayWrite, isBusy, onDelete }) {
  const title = titleOf(embed);
  const isNew = isPending(embed);
  const { mode, font, showTopBar, pageUrl, createdAt } = embed;
  return _jsxs('li', {
    class: 'card',
    'data-embed': embed.id,
    'aria-busy': isNew || isBusy,
    children: [
      _jsx(Thumbnail, { embed: embed, title: title, isBusy: isBusy }),
      _jsxs('div', {
        class: 'card-body',
        children: [
          _jsx('h2', { children: isNew ? title : _jsx('a', { href: addressOfEmbed(embed.id), children: title }) }),
          _jsxs('p', {
            class: 'facts',
            children: [
              _jsx('span', { class: 'site', children: siteOf(pageUrl) }),
              isNew ? _jsx('span', { role: 'status', children: 'Creating\u2026' }) : _jsx(Time, { at: createdAt }),
            ],
          }),
          _jsxs('ul', {
            class: 'tags',
            'aria-label': 'Settings',
            children: [
              _jsx('li', { children: MODE_LABELS[mode] }),
              font !== 'default' && _jsx('li', { children: font }),
              !showTopBar && _jsx('li', { children: 'No top bar' }),
            ],
          }),
        ],
      }),
      !isNew &&
        _jsxs('div', {
          class: 'card-foot',
          children: [
            _jsx(CopyButton, { what: 'Snippet', label: 'Snippet', text: embed.html, of: title }),
            _jsx(CopyButton, { what: 'URL', label: 'URL', text: embed.embedUrl, of: title }),
            _jsx(CopyButton, { what: 'oEmbed link', label: 'oEmbed', text: oembedUrlOf(embed), of: title }),
            _jsx('span', { class: 'spring' }),
            _jsxs('a', {
              class: 'button ghost icon-only',
              href: embed.embedUrl,
              target: '_blank',
              rel: 'noopener',
              title: 'Open',
              children: [
                _jsx(Icon, { name: 'open' }),
                _jsx('span', { class: 'spoken', children: `Open ${title} in a new tab` }),
              ],
            }),
            mayWrite &&
              _jsxs('button', {
                type: 'button',
                class: 'button ghost icon-only danger',
                title: 'Delete',
                onClick: () => onDelete(embed),
                children: [
                  _jsx(Icon, { name: 'trash' }),
                  _jsx('span', { class: 'spoken', children: `Delete ${title}` }),
                ],
              }),
          ],
        }),
    ],
  });
}
