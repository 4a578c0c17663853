import { useQuery } from '@urql/preact';
import { type ListedEmbedFragment, OneEmbedDocument } from '../../generated/console-operations.ts';
import { apiErrorOf } from '../api/api-error.ts';
import type { EmbedMutations } from '../api/embed-mutations.ts';
import type { Session } from '../api/session.ts';
import { draftOf, isPending, titleOf } from '../list/embed-view-model.ts';
import { Share } from '../list/share.tsx';
import { LIST } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import type { Drafts } from './drafts.ts';
import { Editor } from './editor.tsx';

interface Props {
  readonly id: string;
  readonly session: Session;
  readonly drafts: Drafts;
  readonly work: EmbedMutations;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** An embed: what it is, how to share it, and the end of it. */
export function EditEmbed({ id, session, drafts, work, onDelete }: Props) {
  const [{ data, error, fetching }, again] = useQuery({ query: OneEmbedDocument, variables: { id } });
  const embed = data?.embed;
  if (!embed) {
    const message = error ? apiErrorOf(error).message : 'There is no embed with this id. It may have been deleted.';
    return (
      <main id="main" class="lost" tabIndex={-1}>
        {fetching ? (
          <p role="status">Loading…</p>
        ) : (
          <>
            <h1>Nothing to show</h1>
            <p role="alert">{message}</p>
            <div class="actions">
              <a class="button primary" href={LIST}>
                All embeds
              </a>
              {error && (
                <button type="button" class="button" onClick={() => again({ requestPolicy: 'network-only' })}>
                  Try again
                </button>
              )}
            </div>
          </>
        )}
      </main>
    );
  }
  return (
    <Editor
      name={id}
      heading={titleOf(embed)}
      saved={draftOf(embed)}
      drafts={drafts}
      token={session.token}
      mayWrite={session.mayWrite}
      embedUrl={embed.embedUrl}
      onSave={(draft) => work.update(embed, draft)}
    >
      {!isPending(embed) && <Share embed={embed} />}
      {session.mayWrite && (
        <section class="panel doom">
          <p>Sites that show it will show a notice in its place.</p>
          <button type="button" class="button danger" onClick={() => onDelete(embed)}>
            <Icon name="trash" />
            Delete embed
          </button>
        </section>
      )}
    </Editor>
  );
}
