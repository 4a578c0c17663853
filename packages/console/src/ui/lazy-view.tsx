import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loads the code of each lazy view. Views that are parts of others are added when those are loaded. */
const loaders = new Set<() => Promise<unknown>>();

/** Loads the code of all views, one after the other, so that they open at once, without a connection, and after an upgrade of the service. */
export async function loadAllViews(): Promise<void> {
  for (const load of loaders) await load().catch(() => {});
}

/**
 * Creates a component whose code is loaded when it is shown for the first time, unless {@link loadAllViews} has loaded it.
 * @param isPage a page says that it is loading; a part of a page appears when it is loaded
 */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isPage = true,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  loaders.add(loadOnce);
  return function LazyView(props: Props) {
    const [View, setView] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (View) return;
      loadOnce().then(
        (view) => setView(() => view),
        () => setFailed(true),
      );
    }, []);
    if (View) return <View {...props} />;
    const fault = isFailed && <p role="alert">This page could not be loaded. Check your connection, then reload.</p>;
    if (!isPage) return <>{fault}</>;
    return (
      <main id="main" tabIndex={-1} aria-busy={!isFailed}>
        {fault}
      </main>
    );
  };
}
