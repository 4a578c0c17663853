import type { CombinedError } from '@urql/core';
import { useQuery } from '@urql/preact';
import { apiErrorOf } from '../api/api-error.ts';
import type { EmbedMutations } from '../api/embed-mutations.ts';
import type { Session } from '../api/session.ts';
import { type ListedEmbedFragment, OneEmbedDocument } from '../generated/operations.ts';
import { isPending, isShownHere, titleOf } from '../list/embed-view-model.ts';
import { LIST } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { lazyView } from '../ui/lazy-view.tsx';
import { usePage } from '../ui/use-page.ts';
import { baseOf, type Drafts } from './draft.ts';
import { Editor } from './editor.tsx';

const Share = lazyView(async () => (await import('../share/share.tsx')).Share, false);
const MovedPanel = lazyView(async () => (await import('./moved-panel.tsx')).MovedPanel, false);
const VersionsPanel = lazyView(async () => (await import('./versions-panel.tsx')).VersionsPanel, false);
const ViewsPanel = lazyView(async () => (await import('./views-panel.tsx')).ViewsPanel, false);

interface Props {
  readonly id: string;
  /** The embed was created a moment ago. */
  readonly isNew: boolean;
  readonly session: Session;
  readonly accountSites: readonly string[] | null;
  readonly drafts: Drafts;
  readonly mutations: EmbedMutations;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** The view of an existing embed: its form, what to copy from it, and its deletion. */
export function EditEmbed({ id, isNew, session, accountSites, drafts, mutations, onDelete }: Props) {
  const [{ data, error, fetching }, reload] = useQuery({ query: OneEmbedDocument, variables: { id } });
  const embed = data?.embed;
  if (!embed && fetching) {
    return (
      <main id="main" class="not-found" tabIndex={-1}>
        <p role="status">Loading…</p>
      </main>
    );
  }
  if (!embed) return <MissingEmbed error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />;
  return (
    <Editor
      name={id}
      heading={titleOf(embed)}
      saved={baseOf(embed)}
      drafts={drafts}
      canWrite={session.canWrite}
      embedUrl={isShownHere(embed, accountSites) ? embed.embedUrl : undefined}
      onSave={(edited) => mutations.update(id, edited)}
      aside={!isPending(embed) && <Share embed={embed} isNew={isNew} />}
    >
      {!isPending(embed) && <MovedPanel embed={embed} session={session} />}
      {!isPending(embed) && <VersionsPanel id={id} />}
      {!isPending(embed) && <ViewsPanel id={id} />}
      {session.canWrite && (
        <section class="panel delete-panel">
          <p>Sites that show this embed will show a notice in its place.</p>
          <button type="button" class="button danger" onClick={() => onDelete(embed)}>
            <Icon name="trash" />
            Delete embed
          </button>
        </section>
      )}
    </Editor>
  );
}

interface MissingProps {
  /** Undefined if the API knows no such embed. */
  readonly error: CombinedError | undefined;
  readonly onRetry: () => void;
}

function MissingEmbed({ error, onRetry }: MissingProps) {
  const heading = error ? 'The embed could not be loaded' : 'Embed not found';
  usePage(heading);
  return (
    <main id="main" class="not-found" tabIndex={-1} aria-labelledby="missing-heading">
      <h1 id="missing-heading">{heading}</h1>
      <p role="alert">
        {error ? apiErrorOf(error).message : 'There is no embed with this id. It may have been deleted.'}
      </p>
      <div class="actions">
        <a class="button primary" href={LIST}>
          All embeds
        </a>
        {error && (
          <button type="button" class="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </main>
  );
}
