import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedEmbedFragment } from '../generated/console-operations.ts';
import { useEmbedMutations } from './api/embed-mutations.ts';
import type { Session } from './api/session.ts';
import { useLiveUpdates } from './api/use-live-updates.ts';
import { type Drafts, NEW_EMBED } from './editor/drafts.ts';
import { EditEmbed } from './editor/edit-embed.tsx';
import { Editor } from './editor/editor.tsx';
import { ConfirmDelete } from './list/confirm-delete.tsx';
import { EmbedList } from './list/embed-list.tsx';
import { EMPTY_DRAFT } from './list/embed-view-model.ts';
import { Notices, useNotices } from './notices.tsx';
import { goTo, LIST, useRoute } from './route.ts';
import { TopBar } from './top-bar.tsx';

interface Props {
  readonly session: Session;
  readonly drafts: Drafts;
  readonly onSignOut: () => void;
}

/** All views of a session. The list stays where it is, out of sight, while an embed is edited. */
export function AppShell({ session, drafts, onSignOut }: Props) {
  const { token, mayWrite } = session;
  const route = useRoute();
  const { notices, notify, dismiss } = useNotices();
  const work = useEmbedMutations(session, drafts, notify);
  const [doomed, setDoomed] = useState<ListedEmbedFragment | null>(null);
  const streams = useLiveUpdates(session);
  useListAsItWas(route.view === 'list');

  async function remove(embed: ListedEmbedFragment) {
    setDoomed(null);
    drafts.delete(embed.id);
    if (route.view !== 'list') goTo(LIST);
    // what had the focus goes with the embed
    requestAnimationFrame(() => document.getElementById('list-heading')?.focus({ preventScroll: true }));
    await work.remove(embed);
  }

  return (
    <div class="workbench">
      <TopBar isReadOnly={!mayWrite} onSignOut={onSignOut} />
      <EmbedList
        isShown={route.view === 'list'}
        streams={streams}
        mayWrite={mayWrite}
        busy={work.busy}
        onDelete={setDoomed}
      />
      {route.view === 'new' && (
        <Editor
          key={route.pageUrl}
          name={NEW_EMBED}
          heading="New embed"
          saved={{ ...EMPTY_DRAFT, pageUrl: route.pageUrl }}
          drafts={drafts}
          token={token}
          mayWrite={mayWrite}
          onSave={work.create}
        />
      )}
      {route.view === 'edit' && (
        <EditEmbed key={route.id} id={route.id} drafts={drafts} session={session} work={work} onDelete={setDoomed} />
      )}
      {doomed && <ConfirmDelete embed={doomed} onCancel={() => setDoomed(null)} onConfirm={() => remove(doomed)} />}
      <Notices notices={notices} onDismiss={dismiss} />
    </div>
  );
}

/** Back in the list one stands where one stood, with the focus on what one came from. */
function useListAsItWas(isShown: boolean): void {
  const left = useRef<{ readonly y: number; readonly focused: Element | null } | null>(null);
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
