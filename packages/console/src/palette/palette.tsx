import { useClient } from '@urql/preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { EmbedsDocument, type ListedEmbedFragment } from '../generated/operations.ts';
import { hostOf, titleOf } from '../list/embed-view-model.ts';
import { goTo, hrefOfEmbed } from '../route.ts';
import { areShortcutsOn } from '../shortcuts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';

const MAX_EMBEDS = 8;
const TYPING_PAUSE_MS = 150;

/** A page or an action that the palette finds by its label. */
export interface Command {
  readonly icon: IconName;
  readonly label: string;
  /** Further words that find it. */
  readonly words?: string;
  /** The shortcut that does the same. */
  readonly shortcut?: string;
  readonly run: () => void;
}

interface Item extends Command {
  readonly key: string;
  readonly hint?: string;
}

interface Props {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

/** Finds embeds, pages and commands. The field keeps the focus; the arrow keys choose one of the results. */
export function Palette({ commands, onClose }: Props) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  /** Enter was pressed before the embeds for the text were here. */
  const [isWaiting, setWaiting] = useState(false);
  const { embeds, isOutdated } = useFoundEmbeds(text);
  const found = commands.filter((command) => matches(command, text));
  const items: readonly Item[] = [
    ...found.map((command) => ({ ...command, key: command.label })),
    ...embeds.map((embed) => ({
      key: embed.id,
      icon: 'page' as const,
      label: titleOf(embed),
      hint: hostOf(embed.pageUrl),
      run: () => goTo(hrefOfEmbed(embed.id)),
    })),
  ];
  const current = Math.min(chosen, items.length - 1);
  useEffect(() => document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' }), [current]);

  const run = (item: Item | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  useEffect(() => {
    if (isWaiting && !isOutdated) run(items[current]);
    if (!isOutdated) setWaiting(false);
  }, [isWaiting, isOutdated]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(current + 1, items.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(current - 1, 0));
    else if (event.key === 'Enter' && isOutdated && !found[current]) setWaiting(true);
    else if (event.key === 'Enter') run(items[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog heading="Search embeds, pages and commands" class="palette" onClose={onClose}>
      <input
        class="input"
        role="combobox"
        aria-label="Search embeds, pages and commands"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={items.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        placeholder="Search embeds, pages and commands"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
          setWaiting(false);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} class="results" role="listbox" aria-label="Results">
        {items.map((item, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={item.key}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            onClick={() => run(item)}
            onMouseMove={() => setChosen(i)}
          >
            <Icon name={item.icon} />
            <span>{item.label}</span>
            {item.hint && <small>{item.hint}</small>}
            {item.shortcut && areShortcutsOn() && <kbd>{item.shortcut}</kbd>}
          </div>
        ))}
      </div>
      {items.length === 0 && !isOutdated && <p class="hint">Nothing found.</p>}
    </Dialog>
  );
}

function matches({ label, words = '' }: Command, text: string): boolean {
  const known = `${label} ${words}`.toLowerCase().split(' ');
  const sought = text.toLowerCase().split(' ').filter(Boolean);
  return sought.every((word) => known.some((other) => other.startsWith(word)));
}

/** Returns the newest embeds that match. Those for an earlier text are outdated: they stay until the new ones are here. */
function useFoundEmbeds(text: string) {
  const client = useClient();
  const [found, setFound] = useState<{ search: string; embeds: readonly ListedEmbedFragment[] }>({
    search: '',
    embeds: [],
  });
  const search = text.trim();
  useEffect(() => {
    let isLatest = true;
    const timer = setTimeout(async () => {
      if (search === '') return setFound({ search, embeds: [] });
      const { data } = await client.query(EmbedsDocument, { first: MAX_EMBEDS, filter: { search } }).toPromise();
      if (isLatest) setFound({ search, embeds: (data?.embeds.edges ?? []).map(({ node }) => node) });
    }, TYPING_PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [search]);
  return { embeds: found.embeds, isOutdated: found.search !== search };
}
