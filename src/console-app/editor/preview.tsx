import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, settingsKeyOf, siteOf } from '../list/embed-view-model.ts';
import { Icon } from '../ui/icons.tsx';
import { completeUrl } from './page-url-field.tsx';
import { EMBED_SANDBOX, showPreview } from './preview-frame.ts';

/** How long typing must pause. A choice needs no such time. */
const TYPING_PAUSE_MS = 450;

interface Props {
  readonly draft: Draft;
  readonly token: string;
  readonly isAllowed: boolean;
  readonly embedUrl?: string | undefined;
}

/** What the embed would show, made by what shows embeds: it is what it will be. */
export function Preview({ draft, token, isAllowed, embedUrl }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const shown = useRef<Draft | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [isNarrow, setNarrow] = useState(false);
  const pageUrl = completeUrl(draft.pageUrl);
  const { mode, font } = draft;
  const isReady = isAllowed && isPage(pageUrl);

  useEffect(() => {
    const place = stage.current;
    if (!place || !isReady) return;
    const wanted: Draft = { ...draft, pageUrl };
    const isTyped = shown.current !== null && (shown.current.pageUrl !== pageUrl || shown.current.font !== font);
    const timer = setTimeout(
      async () => {
        shown.current = wanted;
        setLoading(true);
        await showPreview(place, { draft: wanted, token });
        if (shown.current === wanted) setLoading(false);
      },
      isTyped ? TYPING_PAUSE_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [pageUrl, settingsKeyOf(draft), token, isReady]);

  return (
    <section class="preview" aria-label="Preview">
      <div class="preview-head">
        <h2>Preview</h2>
        <span class="preview-url">{isReady && siteOf(pageUrl)}</span>
        <span class="spoken" role="status">
          {isLoading ? 'Loading the preview' : isReady && shown.current && 'The preview is up to date'}
        </span>
        <fieldset class="segments small" aria-label="Width of the preview">
          <button type="button" aria-pressed={!isNarrow} onClick={() => setNarrow(false)}>
            <Icon name="system" />
            <span class="spoken">Wide</span>
          </button>
          <button type="button" aria-pressed={isNarrow} onClick={() => setNarrow(true)}>
            <Icon name="phone" />
            <span class="spoken">Phone</span>
          </button>
        </fieldset>
      </div>
      <div class="preview-body" aria-busy={isLoading}>
        <div ref={stage} class="stage" data-narrow={isNarrow} hidden={!isReady} />
        {!isAllowed && embedUrl && (
          <div class="stage">
            <iframe src={embedUrl} title="The embed" sandbox={EMBED_SANDBOX} data-mode={mode} />
          </div>
        )}
        {!isReady && !(embedUrl && !isAllowed) && (
          <div class="preview-hint">
            <Icon name="page" />
            <p>
              {isAllowed
                ? 'Enter the URL of a page to see it here as an embed.'
                : 'Previews need a token that may write.'}
            </p>
          </div>
        )}
      </div>
    </section>
  );
}

/** Whether a text may be a whole address: half of one is not worth asking for. */
function isPage(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url !== null && !/\s/.test(text) && /(\.[a-z0-9-]{2,}|^localhost|\d|\])\.?$/i.test(url.hostname);
}
