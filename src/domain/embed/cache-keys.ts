import { hash } from 'node:crypto';
import { pageIdOf } from '#reader/page-url';

/** The keys of responses in a CDN. They are public: both ids stand in the URL of the embed, and the account is only a hash. */
export function embedKeyOf(embedId: string): string {
  return `embed-${embedId}`;
}

/** All embeds of a source page have this key. */
export function pageKeyOf(pageId: string): string {
  return `page-${pageId}`;
}

export function sourceKeyOf(pageUrl: string): string {
  return pageKeyOf(pageIdOf(pageUrl));
}

/** All embeds of an account have this key, where a CDN takes purges. */
export function accountKeyOf(accountId: string): string {
  return `account-${hash('sha256', accountId).slice(0, 16)}`;
}
