import { useState } from 'preact/hooks';
import { areShortcutsOn, SHORTCUTS, TABLE_SHORTCUTS, turnShortcuts } from '../shortcuts.ts';
import { Dialog } from './dialog.tsx';

/** The list of all keyboard shortcuts, with a switch that turns them off. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Dialog heading="Keyboard shortcuts" class="shortcut-sheet" onClose={onClose}>
      <div class="field row">
        <label for="shortcuts-on">Shortcuts of a single key</label>
        <input
          id="shortcuts-on"
          class="switch"
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          onChange={({ currentTarget }) => {
            turnShortcuts(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />
      </div>
      <ShortcutList shortcuts={SHORTCUTS} />
      <h3>In the table</h3>
      <ShortcutList shortcuts={TABLE_SHORTCUTS} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

interface ListProps {
  readonly shortcuts: readonly { readonly keys: readonly string[]; readonly label: string }[];
}

function ShortcutList({ shortcuts }: ListProps) {
  return (
    <dl class="shortcuts">
      {shortcuts.map(({ keys, label }) => (
        <div key={label}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  );
}
