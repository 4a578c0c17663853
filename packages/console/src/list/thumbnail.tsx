import { useClient } from '@urql/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ListedEmbedFragment, PageOfEmbedDocument } from '../generated/operations.ts';
import { hostOf, isPending, settingsKeyOf } from './embed-view-model.ts';

interface Props {
  readonly embed: ListedEmbedFragment;
  /** The position in the list, from 0. */
  readonly index: number;
  /** The sites of the embed include the console. */
  readonly isAllowed: boolean;
  readonly title: string;
  readonly isSaving: boolean;
  readonly refreshCount: number;
}

/** Delays before the state of a pending page is read. A page that stays pending for longer is read by a reload. */
const STATE_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000];

/**
 * Frames are loaded when nothing has been scrolled for so long, and for so many frames of the screen after that: on a slow
 * machine, a single one takes longer, and each preview that is loaded while the user scrolls makes the next one slower.
 */
const REST_MS = 150;
const REST_FRAMES = 5;
/** Previews are loaded one after the other in so many frames of the screen, so that scrolling can go on between them. */
const TURNS = 12;

/**
 * A scaled-down live embed without focus and pointer events. It reloads when the API has saved changed settings, or
 * refreshed the page, or fetched a page that took longer than the first load.
 */
export function Thumbnail({ embed, index, isAllowed, title, isSaving, refreshCount }: Props) {
  const client = useClient();
  const { id, embedUrl, mode, page } = embed;
  const [isDue, setDue] = useState(false);
  const [lateCount, setLateCount] = useState(0);
  const frameKey = `${embedUrl} ${settingsKeyOf(embed)} ${JSON.stringify(embed.look)} ${refreshCount} ${lateCount}`;
  const loadedKey = useRef(frameKey);
  if (!isSaving) loadedKey.current = frameKey;
  useEffect(() => {
    if (isDue) return;
    let timer: ReturnType<typeof setTimeout>;
    let request = 0;
    const load = (inFrames: number) => {
      if (inFrames > 0) request = requestAnimationFrame(() => load(inFrames - 1));
      else if (navigator.onLine) setDue(true);
      else void loadIfReachable();
    };
    const stop = () => {
      clearTimeout(timer);
      cancelAnimationFrame(request);
    };
    const restart = () => {
      stop();
      timer = setTimeout(() => load(REST_FRAMES + (index % TURNS)), REST_MS);
    };
    restart();
    addEventListener('scroll', restart, { passive: true });
    addEventListener('online', restart);
    return () => {
      stop();
      removeEventListener('scroll', restart);
      removeEventListener('online', restart);
    };
  }, [isDue]);

  /**
   * Without a network, a frame would show the error of the browser, also when the network is back. A service on the same
   * machine needs no network.
   */
  async function loadIfReachable(): Promise<void> {
    const { error } = await client.query(PageOfEmbedDocument, { id }, { requestPolicy: 'network-only' }).toPromise();
    if (!error) setDue(true);
  }

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
      {!isAllowed && <p>Shown on its sites only</p>}
      {isDue && isAllowed && !isPending(embed) && (
        <iframe
          key={loadedKey.current}
          src={embedUrl}
          name="uncounted"
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

/** The icon of the site, which the service fetches; without one, the first letter of the host. */
export function SiteIcon({ embed }: { readonly embed: ListedEmbedFragment }) {
  const [isLoaded, setLoaded] = useState(false);
  const hasPage = !isPending(embed) && embed.page.state !== 'PENDING';
  return (
    <span class="site-icon" aria-hidden="true">
      {!isLoaded && hostOf(embed.pageUrl).charAt(0)}
      {hasPage && <img src={`/icon/${embed.id}`} alt="" hidden={!isLoaded} onLoad={() => setLoaded(true)} />}
    </span>
  );
}
