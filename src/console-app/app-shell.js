import { useEffect, useRef, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { useWork } from './api/embed-mutations.ts';
import { useLive } from './api/use-live-updates.ts';
import { NEW_EMBED } from './editor/drafts.ts';
import { EditEmbed } from './editor/edit-embed.tsx';
import { Editor } from './editor/editor.tsx';
import { ConfirmDelete } from './list/confirm-delete.tsx';
import { EmbedList } from './list/embed-list.tsx';
import { EMPTY_DRAFT } from './list/embed-view-model.ts';
import { Notices, useNotices } from './notices.tsx';
import { goTo, LIST, useRoute } from './route.ts';
import { TopBar } from './top-bar.tsx';
/** All views of a session. The list stays where it is, out of sight, while an embed is edited. */
export function Workbench({ session, drafts, onSignOut }) {
  const { token, mayWrite } = session;
  const route = useRoute();
  const { notices, notify, dismiss } = useNotices();
  const work = useWork(session, drafts, notify);
  const [doomed, setDoomed] = useState(null);
  const streams = useLive(session);
  useListAsItWas(route.view === 'list');
  async function remove(embed) {
    setDoomed(null);
    drafts.delete(embed.id);
    if (route.view !== 'list') goTo(LIST);
    // what had the focus goes with the embed
    requestAnimationFrame(() => document.getElementById('list-heading')?.focus({ preventScroll: true }));
    await work.remove(embed);
  }
  return _jsxs('div', {
    class: 'workbench',
    children: [
      _jsx(TopBar, { isReadOnly: !mayWrite, onSignOut: onSignOut }),
      _jsx(EmbedList, {
        isShown: route.view === 'list',
        streams: streams,
        mayWrite: mayWrite,
        busy: work.busy,
        onDelete: setDoomed,
      }),
      route.view === 'new' &&
        _jsx(
          Editor,
          {
            name: NEW_EMBED,
            heading: 'New embed',
            saved: { ...EMPTY_DRAFT, pageUrl: route.pageUrl },
            drafts: drafts,
            token: token,
            mayWrite: mayWrite,
            onSave: work.create,
          },
          route.pageUrl,
        ),
      route.view === 'edit' &&
        _jsx(EditEmbed, { id: route.id, drafts: drafts, session: session, work: work, onDelete: setDoomed }, route.id),
      doomed &&
        _jsx(ConfirmDelete, { embed: doomed, onCancel: () => setDoomed(null), onConfirm: () => remove(doomed) }),
      _jsx(Notices, { notices: notices, onDismiss: dismiss }),
    ],
  });
}
/** Back in the list one stands where one stood, with the focus on what one came from. */
function useListAsItWas(isShown) {
  const left = useRef(null);
  useEffect(() => {
    if (!isShown) return;
    document.title = 'Embeds · Embed Gateway';
    if (left.current) {
      scrollTo(0, left.current.y);
      const { focused } = left.current;
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    }
    const note = () => {
      left.current = { y: scrollY, focused: document.activeElement };
    };
    addEventListener('click', note, true);
    return () => {
      removeEventListener('click', note, true);
      scrollTo(0, 0);
    };
  }, [isShown]);
}
