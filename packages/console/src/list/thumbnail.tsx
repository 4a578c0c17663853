import { useClient } from '@urql/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ListedEmbedFragment, PageOfEmbedDocument } from '../generated/operations.ts';
import { isPending, settingsKeyOf } from './embed-view-model.ts';

interface Props {
  readonly embed: ListedEmbedFragment;
  readonly title: string;
  readonly isSaving: boolean;
  readonly refreshCount: number;
}

/** Delays before the state of a pending page is read. A page that stays pending for longer is read by a reload. */
const STATE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000];

/** Cards that leave the window of the list sooner load nothing, so that fast scrolling stays smooth. */
const MIN_SHOWN_MS = 150;

/**
 * A scaled-down live embed without focus and pointer events. It reloads when the API has saved changed settings, or
 * refreshed the page, or fetched a page that took longer than the first load.
 */
export function Thumbnail({ embed, title, isSaving, refreshCount }: Props) {
  const client = useClient();
  const { id, embedUrl, mode, page } = embed;
  const [isDue, setDue] = useState(false);
  const [lateCount, setLateCount] = useState(0);
  const frameKey = `${embedUrl} ${settingsKeyOf(embed)} ${refreshCount} ${lateCount}`;
  const loadedKey = useRef(frameKey);
  if (!isSaving) loadedKey.current = frameKey;
  useEffect(() => {
    const timer = setTimeout(setDue, MIN_SHOWN_MS, true);
    return () => clearTimeout(timer);
  }, []);

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
      {isDue && !isPending(embed) && (
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
