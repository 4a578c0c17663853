import { pageIdOf } from '#reader/page-url';

/** The keys of responses in a CDN. They are public: both ids stand in the URL of the embed. The account is in none. */
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
