import { useState } from 'preact/hooks';
import { EMPTY_DRAFT, type Settings } from '../editor/draft.ts';
import { formFieldOf } from '../editor/setting-field.tsx';
import type { Setting } from '../generated/fields.ts';
import { Dialog } from '../ui/dialog.tsx';

interface Props {
  readonly setting: Setting;
  readonly count: number;
  readonly onApply: (settings: Partial<Settings>) => void;
  readonly onClose: () => void;
}

/** Asks for the value of a setting for all selected embeds. */
export function SettingDialog({ setting, count, onApply, onClose }: Props) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const SettingFormField = formFieldOf(setting);
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    const value = draft[setting.name];
    onApply({ [setting.name]: typeof value === 'string' ? value.trim() || setting.default : value });
  };
  return (
    <Dialog
      heading={`Set the ${setting.label} of ${count.toLocaleString('en')} ${count === 1 ? 'embed' : 'embeds'}`}
      onClose={onClose}
    >
      <form class="dialog-form" onSubmit={apply} noValidate>
        <SettingFormField
          setting={setting}
          draft={draft}
          faults={{}}
          onChange={(fields) => setDraft({ ...draft, ...fields })}
          isDisabled={false}
        />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Apply
          </button>
        </div>
      </form>
    </Dialog>
  );
}
