import { FaultText, type FieldProps } from './field.tsx';

export function TopBarField({ draft, faults, onChange, isDisabled }: FieldProps) {
  const isFixed = draft.mode === 'USER_DEFINED';
  const isOn = draft.showTopBar || isFixed;
  return (
    <div class="field row">
      <div>
        <label for="top-bar">Top bar</label>
        <p id="top-bar-hint" class="hint">
          {isFixed ? 'Always on where readers choose the mode.' : 'Title, site and a link to the original.'}
        </p>
        <FaultText of="showTopBar" name="The top bar" faults={faults} />
      </div>
      <input
        id="top-bar"
        class="switch"
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled || isFixed}
        aria-describedby="top-bar-hint showTopBar-fault"
        onChange={({ currentTarget }) => onChange({ showTopBar: currentTarget.checked })}
      />
    </div>
  );
}
