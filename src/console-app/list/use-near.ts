import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** About one and a half rows of cards above and below the screen. */
const MARGIN = '600px';

/** Cards that are scrolled past faster than this load nothing. */
const SETTLE_MS = 150;

interface Near<T extends Element> {
  /** For the element. */
  readonly place: RefObject<T | null>;
  /** Whether the element is on the screen, or within the margin around it. */
  readonly isNear: boolean;
}

/**
 * Watches whether an element is near the screen.
 * @param isWatched while false, as in a view that is hidden, `isNear` keeps its value
 */
export function useNear<T extends Element>(isWatched: boolean): Near<T> {
  const place = useRef<T>(null);
  const [isNear, setNear] = useState(false);
  // a layout effect stops before the observer sees that the view is hidden
  useLayoutEffect(() => {
    if (!isWatched || !place.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        const isIntersecting = entries.at(-1)?.isIntersecting ?? false;
        if (isIntersecting) timer = setTimeout(() => setNear(true), SETTLE_MS);
        else setNear(false);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [isWatched]);
  return { place, isNear };
}
