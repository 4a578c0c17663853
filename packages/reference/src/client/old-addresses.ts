/** Deep links of the Swagger UI that used to be at `/docs`: `/docs#/Embeds/listEmbeds`. */
const SWAGGER_LINK = /^#\/\w+\/(\w+)$/;

const MEDIA = { '/docs/media': ['players-and-posts', 'pictures-and-privacy'] };

/** The pages to which sections of a page moved, with the ids of their headings, by the path of that page. */
export const MOVED_SECTIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/docs/embedding': {
    '/docs/sources': ['article-or-card', 'what-each-kind-of-url-shows', 'directives-of-the-site', 'when-changes-show'],
    '/docs/copies': ['what-the-copy-keeps'],
    '/docs/readers': ['the-readers-controls', 'an-open-frame', 'long-tables', 'the-language-of-the-frame'],
    '/docs/oembed': ['oembed', 'wordpress'],
    ...MEDIA,
  },
  '/docs/copies': MEDIA,
  '/docs/pages': { '/docs/page-changes': ['watch-the-page', 'what-changed', 'when-a-page-has-moved'] },
  '/docs/webhooks': { '/docs/receivers': ['receive-events', 'when-the-receiver-fails', 'what-is-not-lost'] },
};

/** Returns the present address of content that used to have this one, which only the browser sees; null for others. */
export function findNewAddress(pathname: string, hash: string): string | null {
  const operation = SWAGGER_LINK.exec(hash)?.[1];
  if (pathname === '/docs' && operation) return `/docs/rest/${operation}`;
  const moved = Object.entries(MOVED_SECTIONS[pathname] ?? {}).find(([, ids]) => ids.includes(hash.slice(1)));
  return moved ? moved[0] + hash : null;
}
