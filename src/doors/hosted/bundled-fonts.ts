import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Refusal } from '../../errors.ts';
import { createPublicRoute, type Route } from '../../http/exchange.ts';
import { reply } from '../../http/reply.ts';

const { resolve } = createRequire(import.meta.url);

/** The families that the service serves itself, with the names of their packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  Inter: 'inter',
  'Source Serif 4': 'source-serif-4',
  'JetBrains Mono': 'jetbrains-mono',
};
/** Upright and italic. */
const STYLE_SHEETS = ['wght.css', 'wght-italic.css'];

const FOLDER = '/fonts/';

interface BundledFile {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly type: 'text/css; charset=utf-8' | 'font/woff2';
}

/** Read at the first use: 1 MB. */
let bundle: ReturnType<typeof readBundle> | undefined;

/** Returns the paths of style sheets by family, in lower case, and the files by name, which contains a hash of the content. */
function readBundle() {
  const files = new Map<string, BundledFile>();
  const addFile = (name: string, extension: string, file: BundledFile) => {
    const fileName = `${name}-${hash('sha256', file.bytes, 'base64url').slice(0, 8)}.${extension}`;
    files.set(fileName, file);
    return fileName;
  };
  const addFont = (styleSheet: string, name: string) => {
    const bytes = readFileSync(new URL(`files/${name}.woff2`, pathToFileURL(styleSheet)));
    return `url(${addFile(name, 'woff2', { bytes, type: 'font/woff2' })}) format("woff2")`;
  };
  const rulesOf = (family: string, styleSheet: string) =>
    readFileSync(styleSheet, 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|\s*\n\s*/g, '')
      .replace(/font-family: '[^']+'/g, `font-family: "${family}"`)
      .replace(/url\(\.\/files\/([\w-]+)\.woff2\) format\('woff2-variations'\)/g, (_, name: string) =>
        addFont(styleSheet, name),
      );
  const styleSheets = Object.entries(PACKAGES).map(([family, folder]) => {
    const sources = STYLE_SHEETS.map((name) => resolve(`@fontsource-variable/${folder}/${name}`));
    const bytes = Buffer.from(sources.map((source) => rulesOf(family, source)).join('\n'));
    const name = addFile(folder, 'css', { bytes, type: 'text/css; charset=utf-8' });
    return [family.toLowerCase(), FOLDER + name] as const;
  });
  return { styleSheets: new Map(styleSheets), files };
}

/** Compares names without regard to case, as CSS does. */
export function isBundledFont(family: string): boolean {
  return Object.keys(PACKAGES).some((name) => name.toLowerCase() === family.toLowerCase());
}

/** Returns the path of the style sheet of a family; null if the service does not serve it. */
export function findBundledStyleSheet(family: string): string | null {
  if (!isBundledFont(family)) return null;
  bundle ??= readBundle();
  return bundle.styleSheets.get(family.toLowerCase()) ?? null;
}

/** Any site may load the files: embeds have origins of their own, and none at all in a sandbox without `allow-same-origin`. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

export function createFontRoute(): (pathname: string) => Route | null {
  const route = createPublicRoute('/fonts/<file>', ({ url }) => {
    bundle ??= readBundle();
    const file = bundle.files.get(url.pathname.slice(FOLDER.length));
    if (!file) throw new Refusal('not_found', 'There is no font at this path.');
    return reply(file.bytes, { headers: { 'content-type': file.type, ...HEADERS } });
  });
  return (pathname) => (pathname.startsWith(FOLDER) ? route : null);
}
