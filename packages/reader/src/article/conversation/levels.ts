import { selectClosest, selectFirst } from '../tree/select.ts';
import { MESSAGE_LEVEL } from './attributes.ts';

/** Returns the level that the page gives to a message by an attribute or an indent. */
export function levelIn(boxes: readonly Element[]): number | null {
  for (const box of boxes) {
    const marked = selectClosest(box, `[${MESSAGE_LEVEL}]`) ?? selectFirst(box, `[${MESSAGE_LEVEL}]`);
    if (marked) return Number(marked.getAttribute(MESSAGE_LEVEL));
  }
  return null;
}

/** Counts the messages that each one answers: those that are the first and the highest in a box that contains it. */
export function levelsOf(items: readonly Element[]): readonly number[] {
  const depths = items.map(depthOf);
  const threads = new Map<Element, { readonly first: number; depth: number }>();
  const ancestorsOf = (item: Element): Element[] => {
    const found: Element[] = [];
    for (let box: Element | null = item; box; box = box.parentElement) found.push(box);
    return found;
  };
  for (const [i, item] of items.entries()) {
    for (const box of ancestorsOf(item)) {
      const thread = threads.get(box);
      if (thread) thread.depth = Math.min(thread.depth, depths[i] ?? 0);
      else threads.set(box, { first: i, depth: Number.POSITIVE_INFINITY });
    }
  }
  return items.map((item, i) => {
    const found = ancestorsOf(item).map((box) => threads.get(box));
    const answered = found.filter((thread) => thread && thread.first < i && (depths[thread.first] ?? 0) < thread.depth);
    return new Set(answered.map((thread) => thread?.first)).size;
  });
}

function depthOf(element: Element): number {
  let depth = 0;
  for (let parent = element.parentElement; parent; parent = parent.parentElement) depth++;
  return depth;
}
