import { useEffect, useState } from 'preact/hooks';
export const LIST = '#/';
export const NEW = '#/new';
export function addressOfEmbed(id) {
  return `#/embeds/${encodeURIComponent(id)}`;
}
/** A new embed of a page that is known already. */
export function addressOfNew(pageUrl) {
  return `${NEW}?url=${encodeURIComponent(pageUrl)}`;
}
export function goTo(address) {
  location.hash = address;
}
export function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}
function readRoute() {
  const [path = '', query = ''] = location.hash.slice(1).split('?');
  if (path === '/new') return { view: 'new', pageUrl: new URLSearchParams(query).get('url') ?? '' };
  const id = /^\/embeds\/([\w-]+)$/.exec(path)?.[1];
  return id ? { view: 'edit', id } : { view: 'list' };
}
