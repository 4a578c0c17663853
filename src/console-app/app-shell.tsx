import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedEmbedFragment } from '../generated/console-operations.ts';
import { ActivityPage } from './activity/activity-page.tsx';
import { useEmbedMutations } from './api/embed-mutations.ts';
import type { Session } from './api/session.ts';
import { useLiveUpdates } from './api/use-live-updates.ts';
import { type Drafts, EMPTY_DRAFT, NEW_EMBED } from './editor/draft.ts';
import { EditEmbed } from './editor/edit-embed.tsx';
import { Editor } from './editor/editor.tsx';
import { EmbedList } from './list/embed-list.tsx';
import { titleOf } from './list/embed-view-model.ts';
import { Notices, useNotices } from './notices.tsx';
import { goTo, LIST, useRoute } from './route.ts';
import { TokensPage } from './tokens/tokens-page.tsx';
import { TopBar } from './top-bar.tsx';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';

interface Props {
  readonly session: Session;
  readonly drafts: Drafts;
  readonly onSignOut: () => void;
}

/** All views of a session. The list stays mounted but hidden while an embed is edited. */
export function AppShell({ session, drafts, onSignOut }: Props) {
  const { token, canWrite, canAdminister } = session;
  const route = useRoute();
  const { notices, notify, dismiss } = useNotices();
  const mutations = useEmbedMutations(session, drafts, notify);
  const [pendingDelete, setPendingDelete] = useState<ListedEmbedFragment | null>(null);
  const streamCount = useLiveUpdates(session);
  useRestoredList(route.view === 'list');

  async function remove(embed: ListedEmbedFragment) {
    setPendingDelete(null);
    drafts.delete(embed.id);
    if (route.view !== 'list') goTo(LIST);
    // the button that had the focus disappears with the embed
    requestAnimationFrame(() => document.getElementById('list-heading')?.focus({ preventScroll: true }));
    await mutations.remove(embed);
  }

  return (
    <div class="app-shell">
      <TopBar isReadOnly={!canWrite} canAdminister={canAdminister} view={route.view} onSignOut={onSignOut} />
      <EmbedList
        isShown={route.view === 'list'}
        streamCount={streamCount}
        canWrite={canWrite}
        pendingIds={mutations.pendingIds}
        onDelete={setPendingDelete}
        onRefresh={mutations.refresh}
      />
      {route.view === 'new' && (
        <Editor
          key={route.pageUrl}
          name={NEW_EMBED}
          heading="New embed"
          saved={{ ...EMPTY_DRAFT, pageUrl: route.pageUrl }}
          drafts={drafts}
          token={token}
          canWrite={canWrite}
          onSave={mutations.create}
        />
      )}
      {route.view === 'edit' && (
        <EditEmbed
          key={route.id}
          id={route.id}
          drafts={drafts}
          session={session}
          mutations={mutations}
          onDelete={setPendingDelete}
        />
      )}
      {route.view === 'tokens' && <TokensPage session={session} notify={notify} />}
      {route.view === 'activity' && <ActivityPage />}
      {pendingDelete && (
        <ConfirmDialog
          heading={`Delete “${titleOf(pendingDelete)}”?`}
          text="Sites that show this embed will show a notice in its place. This cannot be undone."
          action="Delete embed"
          onCancel={() => setPendingDelete(null)}
          onConfirm={() => remove(pendingDelete)}
        />
      )}
      <Notices notices={notices} onDismiss={dismiss} />
    </div>
  );
}

/** Restores the scroll position and the focus when the user returns to the list. */
function useRestoredList(isShown: boolean): void {
  const lastClick = useRef<{ readonly y: number; readonly focused: Element | null } | null>(null);
  useEffect(() => {
    if (!isShown) return;
    document.title = 'Embeds · Embed Gateway';
    if (lastClick.current) {
      const { y, focused } = lastClick.current;
      scrollTo(0, y);
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    }
    const remember = () => {
      lastClick.current = { y: scrollY, focused: document.activeElement };
    };
    addEventListener('click', remember, true);
    return () => {
      removeEventListener('click', remember, true);
      scrollTo(0, 0);
    };
  }, [isShown]);
}
