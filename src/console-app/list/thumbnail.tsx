import { useRef } from 'preact/hooks';
import type { ListedEmbedFragment } from '../../generated/console-operations.ts';
import { isPending, settingsKeyOf } from './embed-view-model.ts';

interface Props {
  readonly embed: ListedEmbedFragment;
  readonly title: string;
  readonly isBusy: boolean;
}

/**
 * The embed itself, made small: a picture that cannot be reached. It is loaded when it comes into sight, and anew when
 * its settings have changed, but not before the API has them.
 */
export function Thumbnail({ embed, title, isBusy }: Props) {
  const { embedUrl, mode } = embed;
  const settings = `${embedUrl} ${settingsKeyOf(embed)}`;
  const shown = useRef(settings);
  if (!isBusy) shown.current = settings;
  return (
    <div class="thumbnail" inert data-mode={mode}>
      {!isPending(embed) && (
        <iframe
          key={shown.current}
          src={embedUrl}
          title={`Preview of ${title}`}
          loading="lazy"
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
