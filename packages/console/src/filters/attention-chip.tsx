import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/session.ts';
import { CountEmbedsDocument, type ListedEmbedFragment } from '../generated/operations.ts';
import { Icon } from '../ui/icons.tsx';
import { isInNeed } from './list-query.ts';

interface Props {
  readonly session: Session;
  /** The number of event streams so far; the embeds are counted again after each. */
  readonly streamCount: number;
  /** Those of the list, whose pages change while it is shown: all embeds are counted again when others need attention. */
  readonly embeds: readonly ListedEmbedFragment[];
  readonly onShow: () => void;
}

const NONE = { totalCount: 0, totalCountIsExact: true };

/**
 * Counts the embeds whose pages need attention, and shows them on request. Shows nothing if there are none, and no number
 * if the count stopped before it found one.
 */
export function AttentionChip({ session: { uncachedClient }, streamCount, embeds, onShow }: Props) {
  const [{ totalCount, totalCountIsExact }, setCount] = useState(NONE);
  const listed = embeds.flatMap(({ id, page }) => (isInNeed(page) ? id : [])).join(' ');
  useEffect(() => {
    let isLatest = true;
    void uncachedClient
      .query(CountEmbedsDocument, { filter: { needsAttention: true } })
      .toPromise()
      .then(({ data }) => isLatest && setCount(data?.embeds ?? NONE));
    return () => {
      isLatest = false;
    };
  }, [streamCount, listed]);
  if (totalCount === 0 && totalCountIsExact) return null;
  const number = totalCount.toLocaleString('en') + (totalCountIsExact ? '' : '+');
  const label = totalCount > 0 ? `Needs attention: ${number}` : 'Needs attention';
  return (
    <button type="button" class="chip attention" title={label} aria-label={label} onClick={onShow}>
      <Icon name="warning" />
      {totalCount > 0 && number}
    </button>
  );
}
