import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEmbedMutations } from './api/embed-mutations.ts';
import type { Session } from './api/session.ts';
import { useLiveUpdates } from './api/use-live-updates.ts';
import { MAX_DELETED_AT_ONCE, useDeletions } from './bulk/deletions.ts';
import { type Drafts, EMPTY_DRAFT, NEW_EMBED } from './editor/draft.ts';
import type { ListedEmbedFragment } from './generated/operations.ts';
import { useImport } from './import/use-import.ts';
import { EmbedList } from './list/embed-list.tsx';
import { focusViewIfLost } from './list/list-head.tsx';
import { Notices, useNotices } from './notices.tsx';
import { commandsOf, usePaletteKey } from './palette/commands.ts';
import { Palette } from './palette/palette.tsx';
import { goTo, hrefOfLastList, IMPORT, NEW, type Route, useRoute } from './route.ts';
import { useShortcuts } from './shortcuts.ts';
import { TopBar } from './top-bar.tsx';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';
import { lazyView, loadAllViews } from './ui/lazy-view.tsx';
import { usePage } from './ui/use-page.ts';
import { useDisabledWebhooks } from './webhooks/use-disabled-webhooks.ts';

const EditEmbed = lazyView(async () => (await import('./editor/edit-embed.tsx')).EditEmbed);
const Editor = lazyView(async () => (await import('./editor/editor.tsx')).Editor);
const ImportPage = lazyView(async () => (await import('./import/import-page.tsx')).ImportPage);
const TokensPage = lazyView(async () => (await import('./tokens/tokens-page.tsx')).TokensPage);
const WebhooksPage = lazyView(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage);
const ShortcutSheet = lazyView(async () => (await import('./ui/shortcut-sheet.tsx')).ShortcutSheet, false);
const AccountPage = lazyView(async () => (await import('./settings/account-page.tsx')).AccountPage);
const ActivityPage = lazyView(async () => (await import('./activity/activity-page.tsx')).ActivityPage);

const ADMIN_VIEWS: readonly Route['view'][] = ['tokens', 'activity', 'webhooks'];

interface Props {
  readonly session: Session;
  /** Why the user could not leave the session; null if there was no attempt. */
  readonly fault: string | null;
  readonly drafts: Drafts;
  readonly onSwitch: (account: string) => void;
  readonly onSignOut: () => void;
}

/** All views of a session. The list stays mounted but hidden while an embed is edited. */
export function AppShell({ session, fault, drafts, onSwitch, onSignOut }: Props) {
  const { canWrite } = session;
  const route = useRoute();
  const { notices, notify, dismiss } = useNotices(route.view);
  useEffect(() => void (fault && notify({ text: fault, isError: true })), []);
  const mutations = useEmbedMutations(session, drafts, notify);
  const deletions = useDeletions(session, notify);
  const currentImport = useImport(session);
  const [pendingDelete, setPendingDelete] = useState<readonly ListedEmbedFragment[]>([]);
  /** Undefined until the user has changed them. */
  const [savedSites, setSavedSites] = useState<readonly string[] | null>();
  const [hasHelp, setHelp] = useState(false);
  const [hasPalette, setPalette] = useState(false);
  const streamCount = useLiveUpdates(session);
  useDisabledWebhooks(session, notify);
  useEffect(() => void loadAllViews(), []);
  const accountSites = savedSites === undefined ? (session.viewer?.account.allowedSites ?? null) : savedSites;
  const listQuery = useLastListQuery(route);
  const isRefused = session.viewer !== null && !session.canAdminister && ADMIN_VIEWS.includes(route.view);
  const view = isRefused ? null : route.view;
  useRestoredList(route.view === 'list');
  // each other view begins at its top
  useLayoutEffect(() => void (route.view !== 'list' && scrollTo(0, 0)), [route]);
  useFileDrop(canWrite, (file) => {
    goTo(IMPORT);
    void currentImport.open(file);
  });
  usePaletteKey(() => setPalette(true));
  useShortcuts({
    '?': () => setHelp(true),
    n: () => goTo(NEW),
    i: () => goTo(IMPORT),
    u: deletions.undoLast,
  });

  /** Asks before it deletes several embeds. A single one can be restored by its notice. */
  function requestDelete(embeds: readonly ListedEmbedFragment[]) {
    if (embeds.length > MAX_DELETED_AT_ONCE) {
      const bound = MAX_DELETED_AT_ONCE.toLocaleString('en');
      notify({ text: `At most ${bound} embeds can be deleted at once. Select fewer.`, isError: true });
    } else if (embeds.length > 1) setPendingDelete(embeds);
    else remove(embeds);
  }

  function remove(embeds: readonly ListedEmbedFragment[]) {
    setPendingDelete([]);
    for (const { id } of embeds) drafts.delete(id);
    if (route.view !== 'list') goTo(hrefOfLastList());
    deletions.remove(embeds);
    // the button that had the focus may disappear with the embeds
    requestAnimationFrame(focusViewIfLost);
  }

  return (
    <div class="app-shell">
      <TopBar
        session={session}
        view={route.view}
        onSearch={() => setPalette(true)}
        onHelp={() => setHelp(true)}
        onSwitch={onSwitch}
        onSignOut={onSignOut}
      />
      <EmbedList
        session={session}
        isShown={route.view === 'list'}
        query={listQuery}
        streamCount={streamCount}
        accountSites={accountSites}
        pendingIds={mutations.pendingIds}
        hiddenIds={deletions.hiddenIds}
        onDelete={requestDelete}
        onRefresh={mutations.refresh}
      />
      {route.view === 'new' && (
        <Editor
          key={route.pageUrl}
          name={NEW_EMBED}
          heading="New embed"
          saved={{ ...EMPTY_DRAFT, pageUrl: route.pageUrl }}
          drafts={drafts}
          canWrite={canWrite}
          onSave={mutations.create}
        />
      )}
      {route.view === 'edit' && (
        <EditEmbed
          key={route.id}
          id={route.id}
          isNew={route.isNew}
          drafts={drafts}
          session={session}
          accountSites={accountSites}
          mutations={mutations}
          onDelete={(embed) => requestDelete([embed])}
        />
      )}
      {route.view === 'import' && <ImportPage current={currentImport} canWrite={canWrite} />}
      {isRefused && <RefusedPage />}
      {view === 'tokens' && <TokensPage session={session} notify={notify} />}
      {view === 'activity' && <ActivityPage />}
      {route.view === 'account' && (
        <AccountPage session={session} drafts={drafts} notify={notify} onSaved={setSavedSites} />
      )}
      {view === 'webhooks' && <WebhooksPage session={session} notify={notify} />}
      {pendingDelete.length > 0 && (
        <ConfirmDialog
          heading={`Delete ${pendingDelete.length} embeds?`}
          text="Sites that show these embeds will show a notice in their place. You can undo this for 10 seconds, until you close the tab."
          action={`Delete ${pendingDelete.length} embeds`}
          onCancel={() => setPendingDelete([])}
          onConfirm={() => remove(pendingDelete)}
        />
      )}
      {hasPalette && (
        <Palette
          commands={commandsOf(session, { help: () => setHelp(true), signOut: onSignOut })}
          onClose={() => setPalette(false)}
        />
      )}
      {hasHelp && <ShortcutSheet onClose={() => setHelp(false)} />}
      <Notices notices={notices} onDismiss={dismiss} />
    </div>
  );
}

/** In place of a page whose requests the API would reject. */
function RefusedPage() {
  const heading = 'This page needs the scope “admin”';
  usePage(heading);
  return (
    <main id="main" class="not-found" tabIndex={-1} aria-labelledby="refused-heading">
      <h1 id="refused-heading">{heading}</h1>
      <p>To see it, sign in with a token that has this scope.</p>
    </main>
  );
}

/** Returns the query of the list, also while another view covers the list. */
function useLastListQuery(route: Route): string {
  const last = useRef('');
  if (route.view === 'list') last.current = route.query;
  return last.current;
}

/** Receives CSV files that the user drops anywhere. Without this the browser would leave the page. */
function useFileDrop(isActive: boolean, onFile: (file: File) => void): void {
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const hasFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      showDropHint(isActive);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) showDropHint(false);
    };
    const onDrop = (event: DragEvent) => {
      showDropHint(false);
      if (!hasFile(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file && isActive) latest.current(file);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
    };
  }, [isActive]);
}

function showDropHint(isShown: boolean): void {
  document.body.toggleAttribute('data-drop-hint', isShown);
}

/** Restores the scroll position and the focus when the user returns to the list. Without the element, its title has the focus. */
function useRestoredList(isShown: boolean): void {
  const left = useRef<{ readonly y: number; readonly focused: Element | null } | null>(null);
  const isFirstView = useRef(true);
  useEffect(() => {
    const isReturn = !isFirstView.current;
    isFirstView.current = false;
    if (!isShown) return;
    document.title = 'Embeds · Embed Gateway';
    if (left.current) {
      const { y, focused } = left.current;
      scrollTo(0, y);
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
    }
    if (isReturn) focusViewIfLost();
    const remember = () => {
      left.current = { y: scrollY, focused: document.activeElement };
    };
    // before Enter, a shortcut or a button of the browser leaves the list
    const events = ['keydown', 'click', 'popstate'] as const;
    for (const event of events) addEventListener(event, remember, true);
    return () => {
      for (const event of events) removeEventListener(event, remember, true);
    };
  }, [isShown]);
}
