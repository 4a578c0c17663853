/** A place that the search finds: its text, the page or group that it belongs to, and its URL. */
export type SearchEntry = readonly [text: string, context: string, url: string];

const MAX_RESULTS = 12;

/** Finds pages, headings, codes, types and fields. `/` moves the focus to the field. */
export function openSearch(): void {
  const search = document.querySelector('search');
  const input = search?.querySelector('input');
  const list = search?.querySelector('ul');
  if (!search || !input || !list) return;
  let entries: Promise<readonly SearchEntry[]> | undefined;

  async function update(field: HTMLInputElement, results: HTMLUListElement): Promise<void> {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0;
    if (words.length === 0) return;
    try {
      entries ??= fetchEntries();
      const found = rank(await entries, words).slice(0, MAX_RESULTS);
      results.replaceChildren(...(found.length > 0 ? found.map(renderEntry) : [renderText('Nothing found.')]));
    } catch {
      // the next letter loads them again
      entries = undefined;
      results.replaceChildren(renderText('The search could not be loaded. Check your connection, then type again.'));
    }
  }

  input.addEventListener('input', () => void update(input, list));
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
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

async function fetchEntries(): Promise<readonly SearchEntry[]> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

/** Finds the entries with all words: first those that begin with the first word, then in the order of the navigation. */
function rank(entries: readonly SearchEntry[], words: readonly string[]): readonly SearchEntry[] {
  const [first = ''] = words;
  const matches = entries.filter(([text, context]) => {
    return words.every((word) => text.toLowerCase().includes(word) || context.toLowerCase().startsWith(word));
  });
  const begins = ([text]: SearchEntry) => text.toLowerCase().startsWith(first);
  return [...matches.filter(begins), ...matches.filter((entry) => !begins(entry))];
}

function renderEntry([text, context, url]: SearchEntry): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const where = document.createElement('span');
  where.textContent = context;
  link.href = url;
  link.append(text, where);
  item.append(link);
  return item;
}

function renderText(text: string): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
