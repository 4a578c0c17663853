import type { EmbedMode } from '../generated/operations.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { FaultText, type FieldProps } from './field.tsx';

interface ModeOption {
  readonly mode: EmbedMode;
  readonly label: string;
  readonly icon: IconName;
  readonly hint: string;
}

const MODES: readonly ModeOption[] = [
  { mode: 'LIGHT', label: 'Light', icon: 'sun', hint: 'Always light.' },
  { mode: 'DARK', label: 'Dark', icon: 'moon', hint: 'Always dark.' },
  { mode: 'AUTO', label: 'Auto', icon: 'system', hint: 'Follows the setting of the reader’s system.' },
  { mode: 'USER_DEFINED', label: 'Reader', icon: 'reader', hint: 'The reader chooses in the top bar.' },
];

export function ModeField({ draft, faults, onChange, isDisabled }: FieldProps) {
  const chosen = MODES.find(({ mode }) => mode === draft.mode);
  return (
    <fieldset class="field" disabled={isDisabled} aria-describedby="mode-hint mode-fault">
      <legend>Mode</legend>
      <div class="segments">
        {MODES.map(({ mode, label, icon }) => (
          <label key={mode}>
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={mode === draft.mode}
              onChange={() => onChange({ mode })}
            />
            <Icon name={icon} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <FaultText field="mode" subject="The mode" faults={faults} />
      <p id="mode-hint" class="hint" aria-live="polite">
        {chosen?.hint}
      </p>
    </fieldset>
  );
}
