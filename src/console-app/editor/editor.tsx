import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SETTINGS, type Setting, type SettingName } from '../../generated/console-fields.ts';
import type { ApiError } from '../api/api-error.ts';
import { changesBetween, type Draft } from '../list/embed-view-model.ts';
import { goTo, LIST } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import type { Drafts } from './drafts.ts';
import type { FieldProps } from './field.tsx';
import { FontField } from './font-field.tsx';
import { ModeField } from './mode-field.tsx';
import { completeUrl, PageUrlField } from './page-url-field.tsx';
import { Preview } from './preview.tsx';
import { SettingField } from './setting-field.tsx';

/** Settings with a form field of their own; the others have one by their type. */
const SPECIAL_FIELDS: Partial<Record<SettingName, ComponentType<FieldProps & { readonly setting: Setting }>>> = {
  mode: ModeField,
  font: FontField,
};

interface Props {
  /** What is edited, by its name among the drafts. */
  readonly name: string;
  readonly heading: string;
  /** What the API has of it. */
  readonly saved: Draft;
  readonly drafts: Drafts;
  readonly token: string;
  readonly mayWrite: boolean;
  /** Where the embed is shown already; it is what who may not write looks at. */
  readonly embedUrl?: string;
  /** Resolves to what is wrong; to null when the editor may go. */
  readonly onSave: (draft: Draft) => Promise<ApiError | null>;
  readonly children?: ComponentChildren;
}

/** The form of an embed beside what it makes. New embeds and those that exist are edited alike. */
export function Editor({ name, heading, saved, drafts, token, mayWrite, embedUrl, onSave, children }: Props) {
  const typed = drafts.get(name);
  const [draft, setDraft] = useState<Draft>(typed?.draft ?? saved);
  const [trouble, setTrouble] = useState<ApiError | null>(typed?.trouble ?? null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isNew = name === 'new';
  const isChanged = isNew || Object.keys(changesBetween(saved, draft)).length > 0;

  useEffect(() => {
    document.title = `${heading} · Embed Gateway`;
    const start =
      isNew && saved.pageUrl === '' ? form.current?.querySelector('input') : document.getElementById('main');
    start?.focus();
  }, []);
  useEffect(() => {
    if (trouble)
      (
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
        form.current?.querySelector<HTMLElement>('.note')
      )?.focus();
  }, [trouble]);

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    drafts.set(name, { draft: next, trouble: null });
    const untouched = Object.entries(trouble?.faults ?? {}).filter(([field]) => !(field in part));
    if (trouble) setTrouble(untouched.length > 0 ? { ...trouble, faults: Object.fromEntries(untouched) } : null);
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(null);
    const found = await onSave({ ...draft, pageUrl: completeUrl(draft.pageUrl) });
    setBusy(false);
    setTrouble(found);
  }

  const leave = () => {
    drafts.delete(name);
    goTo(LIST);
  };
  const faults = trouble?.faults ?? {};
  const isGeneral = trouble !== null && Object.keys(faults).length === 0;
  const field = { draft, faults, onChange: change, isDisabled: !mayWrite };
  return (
    <main id="main" class="editor" tabIndex={-1} aria-labelledby="editor-heading">
      <div class="view-head">
        <a class="button ghost icon-only" href={LIST} aria-label="Back to all embeds">
          <Icon name="back" />
        </a>
        <h1 id="editor-heading">{heading}</h1>
      </div>
      <div class="split">
        <div class="side">
          <form ref={form} class="panel" onSubmit={submit} noValidate aria-label="Settings">
            {!mayWrite && (
              <p class="note">This token may only read. Sign in with one that may write to change embeds.</p>
            )}
            <PageUrlField {...field} />
            {SETTINGS.map((setting) => {
              const SpecialField = SPECIAL_FIELDS[setting.name] ?? SettingField;
              return <SpecialField key={setting.name} {...field} setting={setting} />;
            })}
            {isGeneral && (
              <p class="note warning" role="alert" tabIndex={-1}>
                <Icon name="warning" />
                {trouble.message}
              </p>
            )}
            <div class="actions">
              <button type="submit" class="button primary" aria-busy={isBusy} disabled={!mayWrite || !isChanged}>
                {isNew ? 'Create embed' : 'Save changes'}
              </button>
              <button type="button" class="button ghost" onClick={leave}>
                Cancel
              </button>
            </div>
          </form>
          {children}
        </div>
        <Preview draft={draft} token={token} isAllowed={mayWrite} embedUrl={embedUrl} />
      </div>
    </main>
  );
}
