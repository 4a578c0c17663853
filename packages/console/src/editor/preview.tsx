import { useEffect, useRef, useState } from 'preact/hooks';
import { hostOf, settingsKeyOf } from '../list/embed-view-model.ts';
import { lookKeyOf } from '../settings/own-settings.ts';
import { Icon } from '../ui/icons.tsx';
import type { Draft } from './draft.ts';
import { completeUrl } from './page-url-field.tsx';
import { EMBED_SANDBOX, type Heading, headingsOf, showPreview } from './preview-frame.ts';

/** The pause after typing; changes of other fields are previewed at once. */
const TYPING_PAUSE_MS = 450;

interface Props {
  readonly draft: Draft;
  readonly canWrite: boolean;
  readonly embedUrl?: string | undefined;
  /** The headings of the page that is shown. */
  readonly onHeadings?: (headings: readonly Heading[]) => void;
  /** The look of the draft is that of the account. */
  readonly isOfAccount?: boolean;
}

/** The embed as readers will see it, rendered by the service. */
export function Preview({ draft, canWrite, embedUrl, onHeadings, isOfAccount = false }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const lastRequested = useRef<Draft | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [isNarrow, setNarrow] = useState(false);
  const pageUrl = completeUrl(draft.pageUrl);
  const { mode, font } = draft;
  const isReady = canWrite && isCompleteUrl(pageUrl);
  const source = isOfAccount
    ? 'The preview shows the newest embed of the account.'
    : 'Enter a page URL to see the preview.';
  const hint = canWrite ? source : 'Previews need a token with the scope “write”.';

  useEffect(() => {
    const receive = (message: MessageEvent) => {
      const headings = headingsOf(message, stage.current?.lastElementChild ?? null);
      if (headings) onHeadings?.(headings);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, []);
  // the pages of errors tell no headings
  useEffect(() => onHeadings?.([]), [pageUrl.replace(/#.*/, '')]);
  useEffect(() => {
    const container = stage.current;
    if (!container || !isReady) return;
    const requested: Draft = { ...draft, pageUrl };
    const isTyped =
      lastRequested.current !== null &&
      (lastRequested.current.pageUrl !== pageUrl ||
        lastRequested.current.font !== font ||
        lookKeyOf(lastRequested.current) !== lookKeyOf(draft));
    const timer = setTimeout(
      async () => {
        lastRequested.current = requested;
        setLoading(true);
        await showPreview(container, { draft: requested, isOfAccount });
        if (lastRequested.current === requested) setLoading(false);
      },
      isTyped ? TYPING_PAUSE_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [pageUrl, settingsKeyOf(draft), lookKeyOf(draft), isReady]);

  return (
    <section class="preview" aria-label="Preview">
      <div class="preview-head">
        <h2>Preview</h2>
        <span class="preview-url">{isReady && hostOf(pageUrl)}</span>
        <span class="visually-hidden" role="status">
          {isLoading ? 'Loading preview' : isReady && lastRequested.current && 'Preview is up to date'}
        </span>
        <fieldset class="segments small" aria-label="Width of the preview">
          <button type="button" aria-pressed={!isNarrow} onClick={() => setNarrow(false)}>
            <Icon name="system" />
            <span class="visually-hidden">Wide</span>
          </button>
          <button type="button" aria-pressed={isNarrow} onClick={() => setNarrow(true)}>
            <Icon name="phone" />
            <span class="visually-hidden">Phone</span>
          </button>
        </fieldset>
      </div>
      <div class="preview-body" aria-busy={isLoading}>
        <div ref={stage} class="stage" data-narrow={isNarrow} hidden={!isReady} />
        {!canWrite && embedUrl && (
          <div class="stage">
            <iframe src={embedUrl} title="The embed" sandbox={EMBED_SANDBOX} data-mode={mode} />
          </div>
        )}
        {!isReady && !(embedUrl && !canWrite) && (
          <div class="preview-hint">
            <Icon name="page" />
            <p>{hint}</p>
          </div>
        )}
      </div>
    </section>
  );
}

/** Returns whether a URL looks complete, so that no previews are requested while the user is typing the host. */
function isCompleteUrl(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url !== null && !/\s/.test(text) && /(\.[a-z0-9-]{2,}|^localhost|\d|\])\.?$/i.test(url.hostname);
}
