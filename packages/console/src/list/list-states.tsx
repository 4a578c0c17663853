import type { CombinedError } from '@urql/core';
import { apiErrorOf } from '../api/api-error.ts';
import { LIST } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { nameInWords } from './embed-view-model.ts';
import type { ListView } from './list-head.tsx';

const SKELETON_COUNT = 8;

/** Takes the place of the first cards or rows, in their size. */
export function Skeletons({ view }: { readonly view: ListView }) {
  return (
    <div class={view === 'cards' ? 'grid' : 'table-frame'} role="status">
      <span class="visually-hidden">Loading embeds…</span>
      {Array.from({ length: SKELETON_COUNT }, (_, i) => (
        <div key={i} class="card skeleton" aria-hidden="true">
          <div class="thumbnail" />
          <div class="card-body">
            <i />
            <i />
          </div>
        </div>
      ))}
    </div>
  );
}

interface LoadErrorProps {
  readonly error: CombinedError;
  readonly onRetry: () => void;
}

export function LoadError({ error, onRetry }: LoadErrorProps) {
  return (
    <div class="failed" role="alert">
      <Icon name="warning" />
      <p>{errorText(error)}</p>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Says that the list is not the one of the API. */
export function LocalNotice({ error, onRetry }: LoadErrorProps) {
  return (
    <div class="note warning local-notice" role="status">
      <Icon name="warning" />
      <p>{apiErrorOf(error).message} Until then, the list has the matching embeds that were loaded before.</p>
      <button type="button" class="button small" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Returns the message of an error. Faults are those of filters. */
function errorText(error: CombinedError): string {
  const { message, faults } = apiErrorOf(error);
  const [first] = Object.entries(faults);
  if (!first) return message;
  const [path, fault] = first;
  return `The ${nameInWords(path.replace(/^.*\./, ''))} ${fault}.`;
}

export function NoResults({ search }: { readonly search: string }) {
  return (
    <section class="empty">
      <h2>{search === '' ? 'No embed matches these filters' : `No embed matches “${search}”`}</h2>
      <p class="lead">
        {search === ''
          ? 'Remove a filter to see more embeds.'
          : 'Search for words of a title or URL or their beginnings, in any order (“plan” finds “planner”), or for a complete URL.'}
      </p>
      <a class="button" href={LIST}>
        Show all embeds
      </a>
    </section>
  );
}
