import type { ComponentType } from 'preact';
import type { Setting, SettingName } from '../generated/fields.ts';
import { capitalise, isForced, labelOfValue } from '../list/embed-view-model.ts';
import type { Draft } from './draft.ts';
import { FaultText, type FieldProps } from './field.tsx';
import { FontField } from './font-field.tsx';
import { ModeField } from './mode-field.tsx';

interface Props extends FieldProps {
  readonly setting: Setting;
}

/** Settings with a special form field. For all others, the type of the setting decides. */
const SPECIAL_FIELDS: Partial<Record<SettingName, ComponentType<Props>>> = {
  mode: ModeField,
  font: FontField,
};

export function formFieldOf({ name }: Setting): ComponentType<Props> {
  return SPECIAL_FIELDS[name] ?? SettingField;
}

/** The form field for the type of a setting. */
function SettingField(props: Props) {
  if (props.setting.type === 'boolean') return <SwitchField {...props} />;
  return props.setting.values ? <ChoiceField {...props} /> : <TextField {...props} />;
}

function changeOf({ name }: Setting, value: unknown): Partial<Draft> {
  return { [name]: value };
}

function SwitchField({ setting, draft, faults, onChange, isDisabled }: Props) {
  const { name, label, hint, forced } = setting;
  const isLocked = isForced(setting, draft);
  const isOn = Boolean(isLocked ? forced?.value : draft[name]);
  return (
    <div class="field row">
      <div>
        <label for={name}>{capitalise(label)}</label>
        <p id={`${name}-hint`} class="hint">
          {isLocked ? forced?.hint : hint}
        </p>
        <FaultText field={name} subject={`The ${label}`} faults={faults} />
      </div>
      <input
        id={name}
        class="switch"
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled || isLocked}
        aria-describedby={`${name}-hint ${name}-fault`}
        onChange={({ currentTarget }) => onChange(changeOf(setting, currentTarget.checked))}
      />
    </div>
  );
}

function ChoiceField({ setting, draft, faults, onChange, isDisabled }: Props) {
  const { name, label, hint, values = [] } = setting;
  return (
    <fieldset class="field" disabled={isDisabled} aria-describedby={`${name}-hint ${name}-fault`}>
      <legend>{capitalise(label)}</legend>
      <div class="segments">
        {values.map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === draft[name]}
              onChange={() => onChange(changeOf(setting, value))}
            />
            <span>{labelOfValue(value)}</span>
          </label>
        ))}
      </div>
      <FaultText field={name} subject={`The ${label}`} faults={faults} />
      <p id={`${name}-hint`} class="hint">
        {hint}
      </p>
    </fieldset>
  );
}

function TextField({ setting, draft, faults, onChange, isDisabled }: Props) {
  const { name, label, hint, type } = setting;
  return (
    <div class="field">
      <label for={name}>{capitalise(label)}</label>
      <input
        id={name}
        class="input"
        autoComplete="off"
        inputMode={type === 'integer' ? 'numeric' : 'text'}
        value={String(draft[name])}
        disabled={isDisabled}
        aria-invalid={faults[name] !== undefined}
        aria-describedby={`${name}-hint ${name}-fault`}
        onInput={({ currentTarget }) => {
          const { value } = currentTarget;
          onChange(changeOf(setting, type === 'integer' ? Number(value) : value));
        }}
      />
      <FaultText field={name} subject={`The ${label}`} faults={faults} />
      <p id={`${name}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}
