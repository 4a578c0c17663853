import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FaultText, type FieldProps } from '../editor/field.tsx';
import type { EmbedWatch } from '../generated/operations.ts';
import { NO_OWN_SETTINGS, type OwnSettings } from './own-settings.ts';

type Path = keyof OwnSettings;

interface Props extends Pick<FieldProps, 'faults' | 'isDisabled'> {
  readonly settings: OwnSettings;
  readonly onChange: (settings: Partial<OwnSettings>) => void;
  /** The settings are those of the account, which have no expiry. */
  readonly isOfAccount?: boolean;
}

const PATHS = Object.keys(NO_OWN_SETTINGS) as Path[];
const LOOK_PATHS = PATHS.filter((path) => path.startsWith('look.'));
const SITE_PATHS = PATHS.filter((path) => !path.startsWith('look.'));

const ACCENT = 'look.accentColor';
const BRANDING = 'look.branding';
const WATCHES: Readonly<Record<Exclude<EmbedWatch, 'OFF'> | '', string>> = {
  '': 'When it is viewed',
  DAILY: 'Also every day',
  HOURLY: 'Also every hour',
  ADAPTIVE: 'Also as often as it changes',
};
/** Shown by the browser's field for colours while none is chosen. */
const USUAL_ACCENT = '#1557c0';

/** The fields of the settings of an embed or an account: the sites that may show it, its end, and its look. */
export function SettingsFields(props: Props) {
  const { settings, isDisabled, isOfAccount = false, onChange } = props;
  const otherwise = isOfAccount ? 'Empty:' : 'Empty: like the account, or else';
  return (
    <>
      <Group {...props} heading={isOfAccount ? 'Sites' : 'Sites, expiry and checks'} paths={SITE_PATHS}>
        <Field
          {...props}
          path="allowedSites"
          label="Allowed sites"
          hint={`One host a line. *.example.com means all hosts below it. ${otherwise} all sites.`}
        >
          {(attributes) => <textarea {...attributes} class="input mono" rows={3} placeholder="example.com" />}
        </Field>
        {!isOfAccount && <ExpiryField {...props} />}
        {!isOfAccount && (
          <ChoiceField
            {...props}
            path="watch"
            label="Checks of the page"
            hint="In the background, so that the embed is fresh before anybody looks, and webhooks tell what has changed."
            choices={WATCHES}
          />
        )}
      </Group>
      <Group {...props} heading="Look" paths={LOOK_PATHS}>
        <Field
          {...props}
          path={ACCENT}
          label="Accent colour"
          hint="For links and controls. It is made darker or lighter where it has too little contrast."
        >
          {(attributes) => (
            <div class="colour">
              <input {...attributes} class="input mono" placeholder={USUAL_ACCENT} />
              <input
                type="color"
                class="input"
                aria-label="Choose the accent colour"
                value={/^#[0-9a-f]{6}$/i.test(settings[ACCENT]) ? settings[ACCENT] : USUAL_ACCENT}
                disabled={isDisabled}
                onInput={({ currentTarget }) => onChange({ [ACCENT]: currentTarget.value })}
              />
            </div>
          )}
        </Field>
        <TextField {...props} path="look.width" label="Text width" hint="320 to 1200 px, or FULL." />
        <div class="field-columns days">
          <TextField {...props} path="look.baseSize" label="Text size" hint="14 to 22 px." />
          <TextField {...props} path="look.radius" label="Corner radius" hint="0 to 24 px." />
        </div>
        <TextField {...props} path="look.logoUrl" label="Logo URL" hint="A picture for the top bar: https." />
        <ChoiceField
          {...props}
          path={BRANDING}
          label="Last line"
          hint="The name of this service, below the embed."
          choices={{ '': isOfAccount ? 'Usual: hidden' : 'Like the account', true: 'Shown', false: 'Hidden' }}
        />
      </Group>
    </>
  );
}

interface GroupProps extends Props {
  readonly heading: string;
  readonly paths: readonly Path[];
  readonly children: ComponentChildren;
}

/** Fields that are closed while they have their usual values. A fault opens them. */
function Group({ heading, paths, settings, faults, isOfAccount = false, children }: GroupProps) {
  const [isOpen, setOpen] = useState(isOfAccount || paths.some((path) => settings[path] !== ''));
  const isFaulty = paths.some((path) => faults[path] !== undefined);
  useEffect(() => {
    if (isFaulty) setOpen(true);
  }, [isFaulty]);
  return (
    <details
      class="setting-group"
      open={isOpen || isFaulty}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{heading}</summary>
      <div>{children}</div>
    </details>
  );
}

interface LabelProps extends Props {
  readonly path: Path;
  readonly label: string;
  readonly hint: string;
}

interface Attributes {
  readonly id: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly autoComplete: 'off';
  readonly spellcheck: false;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

interface SettingFieldProps extends LabelProps {
  readonly children: (attributes: Attributes) => ComponentChildren;
}

function Field({ path, label, hint, settings, faults, isDisabled, onChange, children }: SettingFieldProps) {
  return (
    <div class="field">
      <label for={path}>{label}</label>
      {children({
        id: path,
        value: settings[path],
        disabled: isDisabled,
        'aria-invalid': faults[path] !== undefined,
        'aria-describedby': `${path}-hint ${path}-fault`,
        autoComplete: 'off',
        spellcheck: false,
        onInput: ({ currentTarget }) => onChange({ [path]: currentTarget.value }),
      })}
      <FaultText field={path} subject={`The ${label.charAt(0).toLowerCase()}${label.slice(1)}`} faults={faults} />
      <p id={`${path}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}

/** @param props.choices the labels by their values */
function ChoiceField({ choices, ...props }: LabelProps & { readonly choices: Readonly<Record<string, string>> }) {
  return (
    <Field {...props}>
      {({ onInput, ...attributes }) => (
        <select {...attributes} class="input" onChange={onInput}>
          {Object.entries(choices).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function TextField(props: LabelProps) {
  return <Field {...props}>{(attributes) => <input {...attributes} class="input" />}</Field>;
}

/** The text of a time that the user has not entered completely. The API rejects it. */
const INCOMPLETE = 'incomplete';

function ExpiryField(props: Props) {
  const { settings, isDisabled, onChange } = props;
  const read = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    const text = currentTarget.validity.badInput ? INCOMPLETE : currentTarget.value;
    if (text !== settings.expiresAt) onChange({ expiresAt: text });
  };
  const clear = () => {
    const input = document.getElementById('expiresAt') as HTMLInputElement;
    input.value = '';
    onChange({ expiresAt: '' });
  };
  return (
    <Field
      {...props}
      path="expiresAt"
      label="Expiry"
      hint="From then on, the embed shows a card that says so. The time is that of your time zone."
    >
      {({ value, ...attributes }) => (
        <div class="expiry">
          <input
            {...attributes}
            class="input"
            type="datetime-local"
            value={value === INCOMPLETE ? '' : value}
            onInput={read}
            onKeyUp={read}
            onBlur={read}
          />
          <button
            type="button"
            class="chip"
            aria-pressed={value === ''}
            aria-label="Never expires"
            disabled={isDisabled}
            onClick={clear}
          >
            Never
          </button>
        </div>
      )}
    </Field>
  );
}
