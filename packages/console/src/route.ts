import { useEffect, useState } from 'preact/hooks';

/** The view in the URL fragment, so that Back, Reload and bookmarks work. */
export type Route =
  /** `query` has the filters and the order of the list, in the form of a query string. */
  | { readonly view: 'list'; readonly query: string }
  | { readonly view: 'new'; readonly pageUrl: string }
  /** `isNew` shows what to do with an embed that was just created. */
  | { readonly view: 'edit'; readonly id: string; readonly isNew: boolean }
  | { readonly view: 'import' }
  | { readonly view: 'tokens' }
  | { readonly view: 'activity' }
  | { readonly view: 'webhooks' }
  | { readonly view: 'account' };

export const LIST = '#/';
export const NEW = '#/new';
export const IMPORT = '#/import';
export const TOKENS = '#/tokens';
export const ACTIVITY = '#/activity';
export const WEBHOOKS = '#/webhooks';
export const ACCOUNT = '#/account';

export function hrefOfEmbed(id: string): string {
  return `#/embeds/${encodeURIComponent(id)}`;
}

/** Returns the link to the step after a create. */
export function hrefOfCreated(id: string): string {
  return `${hrefOfEmbed(id)}?created`;
}

/** Returns the link to the form for a new embed, with the page URL filled in. */
export function hrefOfNew(pageUrl: string): string {
  return `${NEW}?url=${encodeURIComponent(pageUrl)}`;
}

/** @param query a query string without question mark; empty for all embeds */
export function hrefOfList(query: string): string {
  return query === '' ? LIST : `${LIST}?${query}`;
}

export function goTo(href: string): void {
  location.hash = href;
}

/** Opens another view, and resolves once it is there: browsers tell of a new address later. */
export function openView(href: string): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('hashchange', () => setTimeout(resolve), { once: true });
    goTo(href);
  });
}

/** Replaces the entry of the history, so that Back skips it. */
export function replaceRoute(href: string): void {
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Where the list was left. */
const LAST_QUERY_KEY = 'embed-gateway:list';

/** Returns the link to the list with the filters that it had in this tab. */
export function hrefOfLastList(): string {
  try {
    return hrefOfList(sessionStorage.getItem(LAST_QUERY_KEY) ?? '');
  } catch {
    return LIST;
  }
}

export function forgetLastList(): void {
  try {
    sessionStorage.removeItem(LAST_QUERY_KEY);
  } catch {}
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = () => setRoute(readRoute());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  useEffect(() => {
    if (route.view !== 'list') return;
    try {
      sessionStorage.setItem(LAST_QUERY_KEY, route.query);
    } catch {}
  }, [route]);
  return route;
}

function readRoute(): Route {
  const [path = '', ...rest] = location.hash.slice(1).split('?');
  const query = rest.join('?');
  if (path === '/new') return { view: 'new', pageUrl: new URLSearchParams(query).get('url') ?? '' };
  if (path === '/import') return { view: 'import' };
  if (path === '/tokens') return { view: 'tokens' };
  if (path === '/activity') return { view: 'activity' };
  if (path === '/webhooks') return { view: 'webhooks' };
  if (path === '/account') return { view: 'account' };
  const id = /^\/embeds\/([\w-]+)$/.exec(path)?.[1];
  return id ? { view: 'edit', id, isNew: query === 'created' } : { view: 'list', query };
}
