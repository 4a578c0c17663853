import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Refusal } from '../../errors.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { problemOf, problemResponse } from '../../http/problem.ts';
import { reply } from '../../http/reply.ts';

const { resolve } = createRequire(import.meta.url);

/** The families that the service serves itself, with the style sheets of their packages: upright and italic. */
const STYLE_SHEETS: Readonly<Record<string, readonly string[]>> = {
  Inter: [resolve('@fontsource-variable/inter/wght.css'), resolve('@fontsource-variable/inter/wght-italic.css')],
  'Source Serif 4': [
    resolve('@fontsource-variable/source-serif-4/wght.css'),
    resolve('@fontsource-variable/source-serif-4/wght-italic.css'),
  ],
  'JetBrains Mono': [
    resolve('@fontsource-variable/jetbrains-mono/wght.css'),
    resolve('@fontsource-variable/jetbrains-mono/wght-italic.css'),
  ],
};

const FOLDER = '/fonts/';

interface Bundle {
  /** `@font-face` rules by family. Their URLs are paths. */
  readonly rules: ReadonlyMap<string, string>;
  /** Files by name, which contains a hash of the content. */
  readonly files: ReadonlyMap<string, Buffer<ArrayBuffer>>;
}

/** Read at the first use: 1 MB. */
let bundle: Bundle | undefined;

function readBundle(): Bundle {
  const files = new Map<string, Buffer<ArrayBuffer>>();
  const addFile = (styleSheet: string, name: string) => {
    const bytes = readFileSync(new URL(`files/${name}.woff2`, new URL(`file://${styleSheet}`)));
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
    files.set(`${name}-${hash}.woff2`, bytes);
    return `url(${FOLDER}${name}-${hash}.woff2) format("woff2")`;
  };
  const rulesOf = (family: string, styleSheet: string) =>
    readFileSync(styleSheet, 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|\s*\n\s*/g, '')
      .replace(/font-family: '[^']+'/g, `font-family: "${family}"`)
      .replace(/url\(\.\/files\/([\w-]+)\.woff2\) format\('woff2-variations'\)/g, (_, name: string) =>
        addFile(styleSheet, name),
      );
  const rules = Object.entries(STYLE_SHEETS).map(([family, styleSheets]) => {
    return [family.toLowerCase(), styleSheets.map((styleSheet) => rulesOf(family, styleSheet)).join('')] as const;
  });
  return { rules: new Map(rules), files };
}

/** Compares names without regard to case, as CSS does. */
export function isBundledFont(family: string): boolean {
  return Object.keys(STYLE_SHEETS).some((name) => name.toLowerCase() === family.toLowerCase());
}

/** Returns the `@font-face` rules of a family with the URLs of its files; null if the service does not serve it. */
export function findFontFaces(family: string, origin: string): string | null {
  if (!isBundledFont(family)) return null;
  bundle ??= readBundle();
  return bundle.rules.get(family.toLowerCase())?.replaceAll(`url(${FOLDER}`, `url(${origin}${FOLDER}`) ?? null;
}

/** Any site may load the files: embeds have origins of their own, and none at all in a sandbox without `allow-same-origin`. */
const HEADERS = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

export function createFontRoute(): (pathname: string) => Route | null {
  const route = createPublicRoute({
    name: '/fonts/<file>',
    methods: ['GET'],
    handle({ url }) {
      bundle ??= readBundle();
      const bytes = bundle.files.get(url.pathname.slice(FOLDER.length));
      if (!bytes) throw new Refusal('not_found', 'There is no font at this path.');
      return reply(bytes, { headers: HEADERS });
    },
    refuse: (error, { id }) => problemResponse(problemOf(error), id),
  });
  return (pathname) => (pathname.startsWith(FOLDER) ? route : null);
}
