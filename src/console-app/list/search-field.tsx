import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';

const TYPING_PAUSE_MS = 250;

/** Tells what is searched for when typing has paused. */
export function SearchField({ onSearch }: { readonly onSearch: (search: string) => void }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(onSearch, text === '' ? 0 : TYPING_PAUSE_MS, text.trim());
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <search class="search">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        aria-label="Search embeds"
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
