import { FaultText, type FieldProps } from './field.tsx';

const FAMILIES = ['default', 'Inter', 'Lora', 'Merriweather'];

/** Any family may be typed; some that read well are one click away. */
export function FontField({ draft, faults, onChange, isDisabled }: FieldProps) {
  const complete = () => {
    const font = draft.font.trim() || 'default';
    if (font !== draft.font) onChange({ font });
  };
  return (
    <div class="field">
      <label for="font">Font</label>
      <input
        id="font"
        class="input"
        autoComplete="off"
        autoCapitalize="words"
        spellcheck={false}
        maxLength={64}
        placeholder="default"
        value={draft.font}
        disabled={isDisabled}
        aria-invalid={faults.font !== undefined}
        aria-describedby="font-hint font-fault"
        onInput={({ currentTarget }) => onChange({ font: currentTarget.value })}
        onBlur={complete}
      />
      <FaultText of="font" name="The font" faults={faults} />
      <fieldset class="chips" aria-label="Fonts to choose from">
        {FAMILIES.map((font) => (
          <button
            key={font}
            type="button"
            class="chip"
            disabled={isDisabled}
            aria-pressed={font === draft.font}
            onClick={() => onChange({ font })}
          >
            {font}
          </button>
        ))}
      </fieldset>
      <p id="font-hint" class="hint">
        “default” is the reader’s system font; any other name is a web font family.
      </p>
    </div>
  );
}
