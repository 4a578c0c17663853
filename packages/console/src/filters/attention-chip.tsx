import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/session.ts';
import { CountEmbedsDocument } from '../generated/operations.ts';
import { Icon } from '../ui/icons.tsx';

interface Props {
  readonly session: Session;
  /** The number of event streams so far; the embeds are counted again after each. */
  readonly streamCount: number;
  readonly onShow: () => void;
}

/** Counts the embeds whose pages need attention, and shows them on request. Shows nothing if there are none. */
export function AttentionChip({ session: { uncachedClient }, streamCount, onShow }: Props) {
  const [count, setCount] = useState('0');
  useEffect(() => {
    void uncachedClient
      .query(CountEmbedsDocument, { filter: { needsAttention: true } })
      .toPromise()
      .then(({ data }) => {
        const { totalCount = 0, totalCountIsExact = true } = data?.embeds ?? {};
        setCount(totalCount.toLocaleString('en') + (totalCountIsExact || totalCount === 0 ? '' : '+'));
      });
  }, [streamCount]);
  if (count === '0') return null;
  return (
    <div class="chips filter-chips">
      <button type="button" class="chip" onClick={onShow}>
        <Icon name="warning" />
        Needs attention: <b>{count}</b>
      </button>
    </div>
  );
}
