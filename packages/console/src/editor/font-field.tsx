import { FaultText, type FieldProps } from './field.tsx';

const SUGGESTED_FONTS = ['default', 'Inter', 'Source Serif 4', 'JetBrains Mono'];

/** A text field for any web font family, with suggestions. */
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
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={complete}
      />
      <FaultText field="font" subject="The font" faults={faults} />
      <fieldset class="chips" aria-label="Suggested fonts">
        {SUGGESTED_FONTS.map((font) => (
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
        “default” is the reader’s system font. Any other name is a web font family.
      </p>
    </div>
  );
}
