import type { ListedEmbedFragment } from '../../generated/console-operations.ts';
import { CopyButton } from './copy-button.tsx';
import { isPending, MODE_LABELS, oembedUrlOf, siteOf, titleOf } from './embed-facts.ts';
import { Icon } from './icons.tsx';
import { useNear } from './near.ts';
import { addressOfEmbed } from './route.ts';
import { Thumbnail } from './thumbnail.tsx';
import { Time } from './time.tsx';

interface Props {
  readonly embed: ListedEmbedFragment;
  /** Whether the list is shown, and not hidden behind another view. */
  readonly isShown: boolean;
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  readonly onDelete: (embed: ListedEmbedFragment) => void;
}

/** An embed in the list. The whole of it leads to the embed, as its title does; what else can be done has buttons. */
export function EmbedCard({ embed, isShown, mayWrite, isBusy, onDelete }: Props) {
  const title = titleOf(embed);
  const isNew = isPending(embed);
  const { place, isNear } = useNear<HTMLLIElement>(isShown);
  const { mode, font, showTopBar, pageUrl, createdAt } = embed;
  return (
    <li ref={place} class="card" data-embed={embed.id} aria-busy={isNew || isBusy}>
      <Thumbnail embed={embed} title={title} isBusy={isBusy} isNear={isNear} />
      <div class="card-body">
        <h2>{isNew ? title : <a href={addressOfEmbed(embed.id)}>{title}</a>}</h2>
        <p class="facts">
          <span class="site">{siteOf(pageUrl)}</span>
          {isNew ? <span role="status">Creating…</span> : <Time at={createdAt} />}
        </p>
        <ul class="tags" aria-label="Settings">
          <li>{MODE_LABELS[mode]}</li>
          {font !== 'default' && <li>{font}</li>}
          {!showTopBar && <li>No top bar</li>}
        </ul>
      </div>
      {!isNew && (
        <div class="card-foot">
          <CopyButton what="Snippet" label="Snippet" text={embed.html} of={title} />
          <CopyButton what="URL" label="URL" text={embed.embedUrl} of={title} />
          <CopyButton what="oEmbed link" label="oEmbed" text={oembedUrlOf(embed)} of={title} />
          <span class="spring" />
          <a class="button ghost icon-only" href={embed.embedUrl} target="_blank" rel="noopener" title="Open">
            <Icon name="open" />
            <span class="spoken">{`Open ${title} in a new tab`}</span>
          </a>
          {mayWrite && (
            <button type="button" class="button ghost icon-only danger" title="Delete" onClick={() => onDelete(embed)}>
              <Icon name="trash" />
              <span class="spoken">{`Delete ${title}`}</span>
            </button>
          )}
        </div>
      )}
    </li>
  );
}
