import type { ListedEmbedFragment } from '../../generated/console-operations.ts';
import { addressOfEmbed } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { isPending, oembedUrlOf, settingTagsOf, siteOf, titleOf } from './embed-view-model.ts';
import { Thumbnail } from './thumbnail.tsx';
import { useNear } from './use-near.ts';

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
  const { pageUrl, createdAt } = embed;
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
          {settingTagsOf(embed).map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
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
