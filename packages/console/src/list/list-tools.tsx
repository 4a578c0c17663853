import { useState } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';

const VIEW_KEY = 'embed-gateway:view';

export type ListView = 'cards' | 'table';

/** Remembers the view in the browser. */
export function useListView(): readonly [ListView, (view: ListView) => void] {
  const [view, setView] = useState<ListView>(readView);
  const choose = (next: ListView) => {
    try {
      localStorage.setItem(VIEW_KEY, next);
    } catch {}
    setView(next);
  };
  return [view, choose];
}

function readView(): ListView {
  try {
    return localStorage.getItem(VIEW_KEY) === 'table' ? 'table' : 'cards';
  } catch {
    return 'cards';
  }
}

interface Props {
  readonly view: ListView;
  readonly isOldestFirst: boolean;
  readonly onView: (view: ListView) => void;
  readonly onOrder: (isOldestFirst: boolean) => void;
  readonly onFilter: () => void;
}

export function ListTools({ view, isOldestFirst, onView, onOrder, onFilter }: Props) {
  return (
    <div class="list-tools">
      <button type="button" class="button" aria-keyshortcuts="f" onClick={onFilter}>
        <Icon name="sliders" />
        Filter
      </button>
      <select
        class="input"
        aria-label="Order"
        value={isOldestFirst ? 'oldest' : 'newest'}
        onChange={({ currentTarget }) => onOrder(currentTarget.value === 'oldest')}
      >
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
      </select>
      <fieldset class="segments small" aria-label="View">
        <button type="button" aria-pressed={view === 'cards'} title="Cards" onClick={() => onView('cards')}>
          <Icon name="cards" />
          <span class="visually-hidden">Cards</span>
        </button>
        <button type="button" aria-pressed={view === 'table'} title="Table" onClick={() => onView('table')}>
          <Icon name="table" />
          <span class="visually-hidden">Table</span>
        </button>
      </fieldset>
    </div>
  );
}
