import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SaveFailure } from '../api/embed-mutations.ts';
import { SETTINGS } from '../generated/fields.ts';
import { goTo, hrefOfLastList } from '../route.ts';
import { FormError } from '../ui/form-error.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyView } from '../ui/lazy-view.tsx';
import {
  type BaseEmbed,
  changesBetween,
  type Draft,
  type Drafts,
  draftOf,
  type EditedDraft,
  NEW_EMBED,
  rebase,
} from './draft.ts';
import { completeUrl, PageUrlField } from './page-url-field.tsx';
import { PartField } from './part-field.tsx';
import { Preview } from './preview.tsx';
import type { Heading } from './preview-frame.ts';
import { formFieldOf } from './setting-field.tsx';

const SettingsFields = lazyView(async () => (await import('../settings/settings-fields.tsx')).SettingsFields, false);

interface Props {
  /** The key of the drafts: the id of the embed, or `NEW_EMBED`. */
  readonly name: string;
  readonly heading: string;
  /** The embed as the API has it. The form follows it until the user edits a field. */
  readonly saved: BaseEmbed;
  readonly drafts: Drafts;
  readonly canWrite: boolean;
  /** The URL of an existing embed, which is shown instead of previews if the token cannot write. */
  readonly embedUrl?: string | undefined;
  /** Resolves to the failure to show, or to null when the embed is saved or the save continues in the list. */
  readonly onSave: (edited: EditedDraft) => Promise<SaveFailure | null>;
  /** Shown above the preview. */
  readonly aside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The form of a new or existing embed, with its preview. */
export function Editor({ name, heading, saved, drafts, canWrite, embedUrl, onSave, aside, children }: Props) {
  const [edited, setEdited] = useState<EditedDraft | null>(drafts.get(name) ?? null);
  const [isBusy, setBusy] = useState(false);
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const { draft, base, apiError } = edited ?? { draft: draftOf(saved), base: saved, apiError: null };
  const isNew = name === NEW_EMBED;
  const isChanged = isNew || Object.keys(changesBetween(base, draft)).length > 0;

  // at once: keys that are pressed as soon as the form is visible belong to its field
  useLayoutEffect(() => {
    document.title = `${heading} · Embed Gateway`;
    const first =
      isNew && saved.pageUrl === '' ? form.current?.querySelector('input') : document.getElementById('main');
    first?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (!apiError) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (invalid ?? form.current?.querySelector<HTMLElement>('.note'))?.focus();
  }, [apiError]);

  function change(fields: Partial<Draft>) {
    const next = { ...draft, ...fields };
    const faults = Object.entries(apiError?.faults ?? {}).filter(([field]) => !(field in fields));
    drafts.set(name, { draft: next, base, apiError: null });
    setEdited({
      draft: next,
      base,
      apiError: apiError && faults.length > 0 ? { ...apiError, faults: Object.fromEntries(faults) } : null,
    });
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    const submitted: EditedDraft = { draft: { ...draft, pageUrl: completeUrl(draft.pageUrl) }, base, apiError: null };
    setBusy(true);
    setEdited(submitted);
    const failure = await onSave(submitted);
    setBusy(false);
    if (failure) setEdited((latest) => afterFailure(latest ?? submitted, failure));
  }

  const leave = () => {
    drafts.delete(name);
    goTo(hrefOfLastList());
  };
  const faults = apiError?.faults ?? {};
  const field = { draft, faults, onChange: change, isDisabled: !canWrite };
  return (
    <main id="main" class="editor" tabIndex={-1} aria-labelledby="editor-heading">
      <div class="view-head">
        <a class="button ghost icon-only" href={hrefOfLastList()} aria-label="Back to all embeds">
          <Icon name="back" />
        </a>
        <h1 id="editor-heading">{heading}</h1>
      </div>
      <div class="split">
        <div class="form-column">
          <form ref={form} class="panel" onSubmit={submit} noValidate aria-label="Settings">
            {!canWrite && (
              <p class="note">
                This token is read-only. To change embeds, sign in with a token that has the scope “write”.
              </p>
            )}
            <PageUrlField {...field} />
            <PartField {...field} headings={headings} />
            {SETTINGS.map((setting) => {
              const SettingFormField = formFieldOf(setting);
              return <SettingFormField key={setting.name} {...field} setting={setting} />;
            })}
            <SettingsFields settings={draft} faults={faults} onChange={change} isDisabled={!canWrite} />
            <FormError error={apiError} />
            <div class="actions">
              <button type="submit" class="button primary" aria-busy={isBusy} disabled={!canWrite || !isChanged}>
                {isNew ? 'Create embed' : 'Save changes'}
              </button>
              <button type="button" class="button ghost" onClick={leave}>
                Cancel
              </button>
            </div>
          </form>
          {children}
        </div>
        <div class="preview-column">
          {aside}
          <Preview draft={draft} canWrite={canWrite} embedUrl={embedUrl} onHeadings={setHeadings} />
        </div>
      </div>
    </main>
  );
}

/** Keeps the user's edits. After a conflict they are based on the current embed, so that saving again works. */
function afterFailure({ draft, base }: EditedDraft, { apiError, current = base }: SaveFailure): EditedDraft {
  return { draft: rebase({ draft, base }, current), base: current, apiError };
}
