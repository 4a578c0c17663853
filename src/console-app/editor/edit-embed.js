import { useQuery } from '@urql/preact';
import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { OneEmbedDocument } from '../../generated/console-operations.ts';
import { troubleOf } from '../api/api-error.ts';
import { draftOf, isPending, titleOf } from '../list/embed-view-model.ts';
import { Share } from '../list/share.tsx';
import { LIST } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { Editor } from './editor.tsx';
/** An embed: what it is, how to share it, and the end of it. */
export function EditEmbed({ id, session, drafts, work, onDelete }) {
  const [{ data, error, fetching }, again] = useQuery({ query: OneEmbedDocument, variables: { id } });
  const embed = data?.embed;
  if (!embed) {
    const message = error ? troubleOf(error).message : 'There is no embed with this id. It may have been deleted.';
    return _jsx('main', {
      id: 'main',
      class: 'lost',
      tabIndex: -1,
      children: fetching
        ? _jsx('p', { role: 'status', children: 'Loading\u2026' })
        : _jsxs(_Fragment, {
            children: [
              _jsx('h1', { children: 'Nothing to show' }),
              _jsx('p', { role: 'alert', children: message }),
              _jsxs('div', {
                class: 'actions',
                children: [
                  _jsx('a', { class: 'button primary', href: LIST, children: 'All embeds' }),
                  error &&
                    _jsx('button', {
                      type: 'button',
                      class: 'button',
                      onClick: () => again({ requestPolicy: 'network-only' }),
                      children: 'Try again',
                    }),
                ],
              }),
            ],
          }),
    });
  }
  return _jsxs(Editor, {
    name: id,
    heading: titleOf(embed),
    saved: draftOf(embed),
    drafts: drafts,
    token: session.token,
    mayWrite: session.mayWrite,
    embedUrl: embed.embedUrl,
    onSave: (draft) => work.update(embed, draft),
    children: [
      !isPending(embed) && _jsx(Share, { embed: embed }),
      session.mayWrite &&
        _jsxs('section', {
          class: 'panel doom',
          children: [
            _jsx('p', { children: 'Sites that show it will show a notice in its place.' }),
            _jsxs('button', {
              type: 'button',
              class: 'button danger',
              onClick: () => onDelete(embed),
              children: [_jsx(Icon, { name: 'trash' }), 'Delete embed'],
            }),
          ],
        }),
    ],
  });
}
