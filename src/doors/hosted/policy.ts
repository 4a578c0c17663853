import type { ClientCode } from './render/client-code.ts';
import type { WebFont } from './render/web-font.ts';

/** What a page of ours is made of. */
export interface PageParts {
  readonly scripts: readonly ClientCode[];
  readonly styles: readonly ClientCode[];
  readonly webFont: WebFont | null;
}

/**
 * Only our own code by its hash, and one font provider where there is a web font. Pictures and sound may come from
 * wherever the article has them; the icon is a data URL. Anybody may frame the page.
 */
export function contentSecurityPolicy({ scripts, styles, webFont }: PageParts): string {
  const hashes = (code: readonly ClientCode[]) => code.map(({ hash }) => hash);
  const directives = [
    "default-src 'none'",
    ['script-src', ...hashes(scripts)].join(' '),
    ['style-src', ...hashes(styles), ...(webFont ? [webFont.style.hash, webFont.cssOrigin] : [])].join(' '),
    'img-src http: https: data:',
    'media-src http: https:',
    ...(webFont ? [`font-src ${webFont.fileOrigin}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ];
  return directives.join('; ');
}
