import { useClient } from '@urql/preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ListedEmbedFragment, PageOfEmbedDocument } from '../../generated/console-operations.ts';
import { hrefOfEmbed } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { hostOf, isPending, oembedUrlOf, settingsKeyOf, settingTagsOf, titleOf } from './embed-view-model.ts';
import { PageStatus, RefreshButton } from './page-status.tsx';

interface Props {
  readonly embed: ListedEmbedFragment;
  /** False while another view covers the list. */
  readonly isShown: boolean;
  readonly canWrite: boolean;
  readonly isSaving: boolean;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
  readonly onRefresh: (embed: ListedEmbedFragment) => Promise<void>;
}

/** An embed in the list. The whole card is a link to the form; buttons are above it. */
export function EmbedCard({ embed, isShown, canWrite, isSaving, onDelete, onRefresh }: Props) {
  const title = titleOf(embed);
  const isNew = isPending(embed);
  const { ref, isNear } = useIsNearViewport<HTMLLIElement>(isShown);
  const { pageUrl, createdAt, page } = embed;
  const [refreshCount, setRefreshCount] = useState(0);
  const refresh = async () => {
    await onRefresh(embed);
    setRefreshCount((count) => count + 1);
  };
  return (
    <li ref={ref} class="card" data-embed={embed.id} aria-busy={isNew || isSaving}>
      <Thumbnail embed={embed} title={title} isSaving={isSaving} isNear={isNear} refreshCount={refreshCount} />
      <div class="card-body">
        <h2>{isNew ? title : <a href={hrefOfEmbed(embed.id)}>{title}</a>}</h2>
        <p class="card-meta">
          <span class="host">{hostOf(pageUrl)}</span>
          {isNew ? <span role="status">Creating…</span> : <Time at={createdAt} />}
        </p>
        <ul class="tags" aria-label="Settings">
          {settingTagsOf(embed).map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
        <PageStatus page={page} />
      </div>
      {!isNew && (
        <div class="card-foot">
          <CopyButton name="Snippet" label="Snippet" text={embed.html} of={title} />
          <CopyButton name="URL" label="URL" text={embed.embedUrl} of={title} />
          <CopyButton name="oEmbed link" label="oEmbed" text={oembedUrlOf(embed)} of={title} />
          <span class="spacer" />
          {canWrite && <RefreshButton title={title} onRefresh={refresh} />}
          <a class="button ghost icon-only" href={embed.embedUrl} target="_blank" rel="noopener" title="Open">
            <Icon name="open" />
            <span class="visually-hidden">{`Open ${title} in a new tab`}</span>
          </a>
          {canWrite && (
            <button type="button" class="button ghost icon-only danger" title="Delete" onClick={() => onDelete(embed)}>
              <Icon name="trash" />
              <span class="visually-hidden">{`Delete ${title}`}</span>
            </button>
          )}
        </div>
      )}
    </li>
  );
}

interface ThumbnailProps {
  readonly embed: ListedEmbedFragment;
  readonly title: string;
  readonly isSaving: boolean;
  /** Only cards near the viewport load the embed. */
  readonly isNear: boolean;
  readonly refreshCount: number;
}

/** Delays before the state of a pending page is read. A page that stays pending for longer is read by a reload. */
const STATE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000];

/**
 * A scaled-down live embed without focus and pointer events. It reloads when the API has saved changed settings, or
 * refreshed the page, or fetched a page that took longer than the first load.
 */
function Thumbnail({ embed, title, isSaving, isNear, refreshCount }: ThumbnailProps) {
  const client = useClient();
  const { id, embedUrl, mode, page } = embed;
  const [lateCount, setLateCount] = useState(0);
  const frameKey = `${embedUrl} ${settingsKeyOf(embed)} ${refreshCount} ${lateCount}`;
  const loadedKey = useRef(frameKey);
  if (!isSaving) loadedKey.current = frameKey;

  /** Loading the frame has made the gateway fetch the page. The result updates the cache. */
  async function readStateOnceKnown(): Promise<void> {
    for (const delayMs of STATE_DELAYS_MS) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const { data } = await client.query(PageOfEmbedDocument, { id }, { requestPolicy: 'network-only' }).toPromise();
      if (!data?.embed || data.embed.page.state === 'PENDING') continue;
      if (delayMs > 0) setLateCount((count) => count + 1);
      return;
    }
  }

  return (
    <div class="thumbnail" inert data-mode={mode}>
      {isNear && !isPending(embed) && (
        <iframe
          key={loadedKey.current}
          src={embedUrl}
          title={`Preview of ${title}`}
          tabIndex={-1}
          sandbox="allow-scripts allow-same-origin"
          onLoad={({ currentTarget }) => {
            currentTarget.dataset.loaded = '';
            if (page.state === 'PENDING') void readStateOnceKnown();
          }}
        />
      )}
    </div>
  );
}

/** Watches about one and a half rows of cards above and below the viewport. */
const VIEWPORT_MARGIN = '600px';

/** Cards that leave the viewport sooner load nothing, so that fast scrolling stays smooth. */
const MIN_VISIBLE_MS = 150;

/**
 * Returns a ref for an element, and whether the element is in or near the viewport.
 * @param isActive while false, as in a hidden view, `isNear` keeps its value
 */
function useIsNearViewport<T extends Element>(isActive: boolean) {
  const ref = useRef<T>(null);
  const [isNear, setNear] = useState(false);
  // a layout effect disconnects before the observer reports that the view is hidden
  useLayoutEffect(() => {
    if (!isActive || !ref.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (entries.at(-1)?.isIntersecting) timer = setTimeout(() => setNear(true), MIN_VISIBLE_MS);
        else setNear(false);
      },
      { rootMargin: VIEWPORT_MARGIN },
    );
    observer.observe(ref.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [isActive]);
  return { ref, isNear };
}
