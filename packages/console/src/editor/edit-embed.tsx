import { useQuery } from '@urql/preact';
import { apiErrorOf } from '../api/api-error.ts';
import type { EmbedMutations } from '../api/embed-mutations.ts';
import type { Session } from '../api/session.ts';
import { type ListedEmbedFragment, OneEmbedDocument } from '../generated/operations.ts';
import { isPending, oembedUrlOf, titleOf } from '../list/embed-view-model.ts';
import { LIST } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';
import type { Drafts } from './draft.ts';
import { Editor } from './editor.tsx';

interface Props {
  readonly id: string;
  readonly session: Session;
  readonly drafts: Drafts;
  readonly mutations: EmbedMutations;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** The view of an existing embed: its form, what to copy from it, and its deletion. */
export function EditEmbed({ id, session, drafts, mutations, onDelete }: Props) {
  const [{ data, error, fetching }, reload] = useQuery({ query: OneEmbedDocument, variables: { id } });
  const embed = data?.embed;
  if (!embed) {
    const message = error ? apiErrorOf(error).message : 'There is no embed with this id. It may have been deleted.';
    return (
      <main id="main" class="not-found" tabIndex={-1}>
        {fetching ? (
          <p role="status">Loading…</p>
        ) : (
          <>
            <h1>{error ? 'The embed could not be loaded' : 'Embed not found'}</h1>
            <p role="alert">{message}</p>
            <div class="actions">
              <a class="button primary" href={LIST}>
                All embeds
              </a>
              {error && (
                <button type="button" class="button" onClick={() => reload({ requestPolicy: 'network-only' })}>
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
      saved={embed}
      drafts={drafts}
      token={session.token}
      canWrite={session.canWrite}
      embedUrl={embed.embedUrl}
      onSave={(edited) => mutations.update(id, edited)}
    >
      {!isPending(embed) && <Share embed={embed} />}
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

function Share({ embed }: { readonly embed: ListedEmbedFragment }) {
  const items = [
    { name: 'Snippet', hint: 'HTML for your page', text: embed.html },
    { name: 'URL', hint: 'for your own iframe', text: embed.embedUrl },
    { name: 'oEmbed link', hint: 'for tools that support oEmbed', text: oembedUrlOf(embed) },
  ];
  return (
    <section class="panel" aria-labelledby="share-heading">
      <h2 id="share-heading">Share</h2>
      {items.map(({ name, hint, text }) => (
        <div key={name} class="share-item">
          <p>
            <b>{name}</b> <span>{hint}</span>
          </p>
          <CopyButton name={name} label="Copy" text={text} of={name} />
          <code class="excerpt">{text}</code>
        </div>
      ))}
    </section>
  );
}
