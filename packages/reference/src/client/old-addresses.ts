/** Deep links of the Swagger UI that used to be at `/docs`: `/docs#/Embeds/listEmbeds`. */
const SWAGGER_LINK = /^#\/\w+\/(\w+)$/;

/** The pages to which sections of `/docs/embedding` moved, with the ids of their headings. */
export const MOVED_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  '/docs/sources': ['article-or-card', 'what-each-kind-of-url-shows', 'directives-of-the-site', 'when-changes-show'],
  '/docs/copies': ['what-the-copy-keeps', 'players-and-posts', 'pictures-and-privacy'],
  '/docs/readers': ['the-readers-controls', 'an-open-frame', 'long-tables', 'the-language-of-the-frame'],
  '/docs/oembed': ['oembed', 'wordpress'],
};

/** Returns the present address of content that used to have this one, which only the browser sees; null for others. */
export function findNewAddress(pathname: string, hash: string): string | null {
  const operation = SWAGGER_LINK.exec(hash)?.[1];
  if (pathname === '/docs' && operation) return `/docs/rest/${operation}`;
  const moved = Object.entries(MOVED_SECTIONS).find(([, ids]) => ids.includes(hash.slice(1)));
  return pathname === '/docs/embedding' && moved ? moved[0] + hash : null;
}
