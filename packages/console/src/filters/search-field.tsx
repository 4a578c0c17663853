import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';

const TYPING_PAUSE_MS = 150;

interface Props {
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** Searches while the user types, after a short pause, and at once when the field is cleared. */
export function SearchField({ search, onSearch }: Props) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  // Back, or the removal of a chip, changed the search
  useEffect(() => {
    if (search.trim() !== sent.current.trim()) setText(search);
    sent.current = search;
  }, [search]);
  useEffect(() => {
    if (text.trim() === sent.current.trim()) return;
    const send = () => {
      sent.current = text;
      onSearch(text);
    };
    const timer = setTimeout(send, text === '' ? 0 : TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <search class="search">
      <Icon name="search" />
      <input
        id="search"
        class="input"
        type="search"
        aria-label="Search embeds"
        aria-keyshortcuts="/"
        placeholder="Search"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && setText('')}
      />
    </search>
  );
}
