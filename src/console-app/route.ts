import { useEffect, useState } from 'preact/hooks';

/** The view in the URL fragment, so that Back, Reload and bookmarks work. */
export type Route =
  | { readonly view: 'list' }
  | { readonly view: 'new'; readonly pageUrl: string }
  | { readonly view: 'edit'; readonly id: string }
  | { readonly view: 'tokens' }
  | { readonly view: 'activity' };

export const LIST = '#/';
export const NEW = '#/new';
export const TOKENS = '#/tokens';
export const ACTIVITY = '#/activity';

export function hrefOfEmbed(id: string): string {
  return `#/embeds/${encodeURIComponent(id)}`;
}

/** Returns the link to the form for a new embed, with the page URL filled in. */
export function hrefOfNew(pageUrl: string): string {
  return `${NEW}?url=${encodeURIComponent(pageUrl)}`;
}

export function goTo(href: string): void {
  location.hash = href;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = () => setRoute(readRoute());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.slice(1).split('?');
  if (path === '/new') return { view: 'new', pageUrl: new URLSearchParams(query).get('url') ?? '' };
  if (path === '/tokens') return { view: 'tokens' };
  if (path === '/activity') return { view: 'activity' };
  const id = /^\/embeds\/([\w-]+)$/.exec(path)?.[1];
  return id ? { view: 'edit', id } : { view: 'list' };
}
