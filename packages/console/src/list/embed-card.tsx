import { useState } from 'preact/hooks';
import { hrefOfEmbed } from '../route.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { hostOf, isPending, isShownHere, settingTagsOf, titleOf } from './embed-view-model.ts';
import { type ItemProps, selectOnShift } from './list-item.ts';
import { PageStatus, RefreshButton } from './page-status.tsx';
import { SiteIcon, Thumbnail } from './thumbnail.tsx';

/** An embed in the list. The whole card is a link to the form; the checkbox and the buttons are above it. */
export function EmbedCard({ embed, index, total, ...context }: ItemProps) {
  const { canWrite, accountSites, selection, pendingIds, onDelete, onRefresh } = context;
  const { id, pageUrl, createdAt, page } = embed;
  const title = titleOf(embed);
  const isNew = isPending(embed);
  const isSaving = pendingIds.has(id);
  const [refreshCount, setRefreshCount] = useState(0);
  const refresh = async () => {
    await onRefresh(embed);
    setRefreshCount((count) => count + 1);
  };
  return (
    <li
      class="card"
      data-embed={id}
      data-selected={selection.has(id) || undefined}
      aria-busy={isNew || isSaving}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <Thumbnail
        embed={embed}
        index={index}
        isAllowed={isShownHere(embed, accountSites)}
        title={title}
        isSaving={isSaving}
        refreshCount={refreshCount}
      />
      {!isNew && (
        <label class="select">
          <input
            type="checkbox"
            checked={selection.has(id)}
            onClick={({ shiftKey }) => selection.toggle(id, shiftKey)}
          />
          <span class="visually-hidden">{`Select ${title}`}</span>
        </label>
      )}
      <div class="card-body">
        <h2>
          {isNew ? (
            title
          ) : (
            <a href={hrefOfEmbed(id)} data-focus onClick={(event) => selectOnShift(context, id, event)}>
              {title}
            </a>
          )}
        </h2>
        <div class="card-meta">
          <SiteIcon embed={embed} />
          <span class="host">{hostOf(pageUrl)}</span>
          {isNew ? <span role="status">Creating…</span> : <Time at={createdAt} />}
          <PageStatus page={page} />
        </div>
        <ul class="tags" aria-label="Settings">
          {settingTagsOf(embed).map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      </div>
      {!isNew && (
        <div class="card-foot">
          <CopyButton name="Snippet" label="Snippet" text={embed.html} subject={`of ${title}`} />
          <CopyButton name="URL" label="URL" text={embed.embedUrl} subject={`of ${title}`} />
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
