import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Creates a component whose code is loaded when it is shown for the first time.
 * @param isPage a page says that it is loading; a part of a page appears when it is loaded
 */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isPage = true,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyView(props: Props) {
    const [View, setView] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (View) return;
      load().then(
        (view) => {
          loaded = view;
          setView(() => view);
        },
        () => setFailed(true),
      );
    }, []);
    if (View) return <View {...props} />;
    if (!isPage) return null;
    return (
      <main id="main" tabIndex={-1} aria-busy={!isFailed}>
        {isFailed && <p role="alert">This page could not be loaded. Check your connection, then reload.</p>}
      </main>
    );
  };
}
