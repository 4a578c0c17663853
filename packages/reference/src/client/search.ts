/** The search, loaded when its field gets the focus. Finds pages, sections, codes, types and fields. */
import type MiniSearch from 'minisearch';
import { createSearchIndex, type FoundEntry, findEntries, type SearchEntry } from './search-index.ts';

const search = document.querySelector('search');
const input = search?.querySelector('input');
const list = search?.querySelector('ul');
if (search && input && list) openSearch(search, input, list);

function openSearch(search: HTMLElement, input: HTMLInputElement, list: HTMLUListElement): void {
  let index: Promise<MiniSearch<SearchEntry>> | undefined;

  async function update(): Promise<void> {
    const text = input.value.trim();
    list.hidden = text === '';
    try {
      index ??= fetchIndex();
      const loaded = await index;
      // a later letter has shown its results
      if (text === '' || text !== input.value.trim()) return;
      const found = findEntries(loaded, text);
      list.replaceChildren(...(found.length > 0 ? found.map(renderEntry) : [renderText('Nothing found.')]));
    } catch {
      // the next letter loads it again
      index = undefined;
      list.replaceChildren(renderText('The search could not be loaded. Check your connection, then type again.'));
    }
  }

  input.addEventListener('input', () => void update());
  search.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const index = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') {
      list.hidden = true;
      input.focus();
    } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
    else if (event.key === 'ArrowDown') links[index + 1]?.focus();
    else if (event.key === 'ArrowUp') (links[index - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
  // links within the page do not load another one
  list.addEventListener('click', () => {
    list.hidden = true;
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!search.contains(target as Node)) list.hidden = true;
  });
  void update();
}

async function fetchIndex(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return createSearchIndex(await response.json());
}

function renderEntry({ title, context, url }: FoundEntry): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const where = document.createElement('span');
  where.textContent = context;
  link.href = url;
  link.append(title, where);
  item.append(link);
  return item;
}

function renderText(text: string): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
