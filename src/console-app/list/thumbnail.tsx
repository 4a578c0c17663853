import { useRef } from 'preact/hooks';
import type { ListedEmbedFragment } from '../../generated/console-operations.ts';
import { isPending, settingsKeyOf } from './embed-view-model.ts';

interface Props {
  readonly embed: ListedEmbedFragment;
  readonly title: string;
  readonly isBusy: boolean;
  /** Whether the card is near the screen. Elsewhere its page is not loaded, and a placeholder keeps its size. */
  readonly isNear: boolean;
}

/**
 * The embed itself, scaled down, out of reach of keyboard and pointer. It is loaded again when its settings have changed,
 * but not before the API has them.
 */
export function Thumbnail({ embed, title, isBusy, isNear }: Props) {
  const { embedUrl, mode } = embed;
  const settings = `${embedUrl} ${settingsKeyOf(embed)}`;
  const shown = useRef(settings);
  if (!isBusy) shown.current = settings;
  return (
    <div class="thumbnail" inert data-mode={mode}>
      {isNear && !isPending(embed) && (
        <iframe
          key={shown.current}
          src={embedUrl}
          title={`Preview of ${title}`}
          tabIndex={-1}
          sandbox="allow-scripts allow-same-origin"
          onLoad={({ currentTarget }) => {
            currentTarget.dataset.loaded = '';
          }}
        />
      )}
    </div>
  );
}
