import { useEffect, useState } from 'preact/hooks';

/** Where in the console one is; the part of the address after `#`, so that back, reload and bookmarks work. */
export type Route =
  | { readonly view: 'list' }
  | { readonly view: 'new'; readonly pageUrl: string }
  | { readonly view: 'edit'; readonly id: string };

export const LIST = '#/';
export const NEW = '#/new';

export function addressOfEmbed(id: string): string {
  return `#/embeds/${encodeURIComponent(id)}`;
}

/** A new embed of a page that is known already. */
export function addressOfNew(pageUrl: string): string {
  return `${NEW}?url=${encodeURIComponent(pageUrl)}`;
}

export function goTo(address: string): void {
  location.hash = address;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.slice(1).split('?');
  if (path === '/new') return { view: 'new', pageUrl: new URLSearchParams(query).get('url') ?? '' };
  const id = /^\/embeds\/([\w-]+)$/.exec(path)?.[1];
  return id ? { view: 'edit', id } : { view: 'list' };
}
