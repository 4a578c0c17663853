import { useQuery } from '@urql/preact';
import { useState } from 'preact/hooks';
import { VersionsOfPageDocument, type VersionsOfPageQuery } from '../generated/operations.ts';
import { LoadError } from '../list/list-states.tsx';
import { Time } from '../ui/time.tsx';

type Version = NonNullable<VersionsOfPageQuery['embed']>['page']['versions']['nodes'][number];

/** The changes of the page of an embed, newest first. The panel reads them when it is opened. */
export function VersionsPanel({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel versions" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Changes of the page</h2>
      </summary>
      {isOpen && <Versions id={id} />}
    </details>
  );
}

function Versions({ id }: { readonly id: string }) {
  const query = { query: VersionsOfPageDocument, variables: { id }, requestPolicy: 'network-only' } as const;
  const [{ data, error }, reread] = useQuery(query);
  if (error) return <LoadError error={error} onRetry={() => reread()} />;
  if (!data) return <p role="status">Loading changes…</p>;
  const versions = data.embed?.page.versions.nodes ?? [];
  if (versions.length === 0) return <p>The service has seen no change of the text.</p>;
  return (
    <ol>
      {versions.map((version) => (
        <li key={version.fetchedAt}>
          <h3>
            <Time at={version.fetchedAt} />
          </h3>
          <Changes {...version} />
        </li>
      ))}
    </ol>
  );
}

/** The oldest version has no changes. The words before the paragraphs tell what colours tell. */
function Changes({ changes }: Version) {
  if (changes.length === 0) return <p class="hint">The oldest text that is kept.</p>;
  return (
    <>
      {changes.map(({ kind, text }, i) => {
        const Change = kind === 'ADDED' ? 'ins' : 'del';
        return (
          // the changes of a version never change
          <p key={i}>
            <b>{kind === 'ADDED' ? 'Added' : 'Removed'}</b> <Change>{text}</Change>
          </p>
        );
      })}
    </>
  );
}
