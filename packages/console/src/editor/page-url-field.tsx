import { FaultText, type FieldProps } from './field.tsx';

export function PageUrlField({ draft, faults, onChange, isDisabled }: FieldProps) {
  const complete = () => {
    const pageUrl = completeUrl(draft.pageUrl);
    if (pageUrl !== draft.pageUrl) onChange({ pageUrl });
  };
  return (
    <div class="field">
      <label for="page-url">Page URL</label>
      <input
        id="page-url"
        class="input"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        placeholder="https://example.com/article"
        value={draft.pageUrl}
        disabled={isDisabled}
        aria-invalid={faults.pageUrl !== undefined}
        aria-describedby="page-url-hint pageUrl-fault"
        onInput={({ currentTarget }) => onChange({ pageUrl: currentTarget.value })}
        onBlur={complete}
      />
      <FaultText
        field="pageUrl"
        subject="The URL"
        faults={faults}
        whenEmpty={draft.pageUrl.trim() === '' ? 'Enter the URL of a page.' : undefined}
      />
      <p id="page-url-hint" class="hint">
        Any public page. The embed shows its article. A page without an article is shown as a card with a link.
      </p>
    </div>
  );
}

/** Trims the text, and adds `https://` to a host name without a scheme. */
export function completeUrl(text: string): string {
  const url = text.trim();
  return /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(url) ? `https://${url}` : url;
}
