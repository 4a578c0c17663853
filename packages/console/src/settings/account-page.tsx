import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from '../api/api-error.ts';
import type { Session } from '../api/session.ts';
import { changesBetween, type Drafts, EMPTY_DRAFT } from '../editor/draft.ts';
import { Preview } from '../editor/preview.tsx';
import { ViewsPanel } from '../editor/views-panel.tsx';
import { type AccountPartsFragment, AccountSettingsDocument, UpdateAccountDocument } from '../generated/operations.ts';
import type { Notify } from '../notices.tsx';
import { FormError } from '../ui/form-error.tsx';
import { usePage } from '../ui/use-page.ts';
import { inputOf, NO_OWN_SETTINGS, type OwnSettings, textsOf } from './own-settings.ts';
import { SettingsFields } from './settings-fields.tsx';

interface Props {
  readonly session: Session;
  readonly drafts: Drafts;
  readonly notify: Notify;
  readonly onSaved: (allowedSites: readonly string[] | null) => void;
}

const formOf = (account: AccountPartsFragment) => textsOf({ ...account, expiresAt: null, watch: 'OFF' });

/** The settings of all embeds without settings of their own, with a preview of their look. */
export function AccountPage({ session, drafts, notify, onSaved }: Props) {
  const { uncachedClient, canAdminister, canWrite } = session;
  const [saved, setSaved] = useState<typeof NO_OWN_SETTINGS | null>(null);
  const [settings, setSettings] = useState(NO_OWN_SETTINGS);
  const [pageUrl, setPageUrl] = useState('');
  const [apiError, setApiError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const faults = apiError?.faults ?? {};
  const draftKey = `account ${session.viewer?.accountId}`;
  const changes = saved ? changesBetween(saved, settings) : {};

  async function load() {
    setApiError(null);
    const { data, error } = await uncachedClient.query(AccountSettingsDocument, {}).toPromise();
    if (error) return setApiError(apiErrorOf(error));
    if (!data) return;
    show(data.viewer.account);
    const edited = canAdminister && drafts.get(draftKey);
    if (edited) setSettings((shown) => ({ ...shown, ...changesBetween<OwnSettings>(edited.base, edited.draft) }));
    setPageUrl(data.embeds.nodes[0]?.pageUrl ?? '');
  }

  function show(account: AccountPartsFragment) {
    setSaved(formOf(account));
    setSettings(formOf(account));
    setApiError(null);
  }

  function change(fields: Partial<OwnSettings>) {
    const draft = { ...EMPTY_DRAFT, ...settings, ...fields };
    drafts.set(draftKey, { draft, base: { ...EMPTY_DRAFT, ...saved }, apiError: null });
    setSettings({ ...settings, ...fields });
    const left = Object.entries(faults).filter(([path]) => !(path in fields));
    setApiError(apiError && left.length > 0 ? { ...apiError, faults: Object.fromEntries(left) } : null);
  }

  usePage('Account settings');
  useEffect(() => void load(), []);
  useEffect(() => {
    if (apiError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .note.warning')?.focus();
  }, [apiError]);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const { data, error } = await uncachedClient
      .mutation(UpdateAccountDocument, { input: inputOf(changes) })
      .toPromise();
    setBusy(false);
    if (error) return setApiError(apiErrorOf(error));
    if (!data) return;
    drafts.delete(draftKey);
    show(data.updateAccount.account);
    onSaved(data.updateAccount.account.allowedSites);
    notify({ text: 'Account settings saved.' });
  }

  return (
    <main id="main" class="editor" tabIndex={-1} aria-labelledby="account-heading">
      <div class="view-head">
        <h1 id="account-heading">Account settings</h1>
      </div>
      <div class="split">
        <div class="form-column">
          <form ref={form} class="panel" onSubmit={submit} noValidate aria-label="Settings of the account">
            <p class="hint">They apply to all embeds that have no settings of their own.</p>
            {!canAdminister && <p class="note">To change them, sign in with a token that has the scope “admin”.</p>}
            {saved && (
              <SettingsFields
                settings={settings}
                faults={faults}
                onChange={change}
                isDisabled={!canAdminister}
                isOfAccount
              />
            )}
            {!saved && !apiError && <p role="status">Loading…</p>}
            <FormError error={apiError} />
            <div class="actions">
              {!saved && apiError ? (
                <button type="button" class="button" onClick={load}>
                  Try again
                </button>
              ) : (
                <button
                  type="submit"
                  class="button primary"
                  aria-busy={isBusy}
                  disabled={Object.keys(changes).length === 0}
                >
                  Save settings
                </button>
              )}
            </div>
          </form>
          <ViewsPanel id={null} />
        </div>
        <div class="preview-column">
          <Preview draft={{ ...EMPTY_DRAFT, ...settings, pageUrl }} canWrite={canWrite} isOfAccount />
        </div>
      </div>
    </main>
  );
}
