import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(import.meta.url);

/** The families whose files the package contains, with the names of their packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  Inter: 'inter',
  'Source Serif 4': 'source-serif-4',
  'JetBrains Mono': 'jetbrains-mono',
};
/** Upright and italic. */
const STYLE_SHEETS = ['wght.css', 'wght-italic.css'];

interface FontFile {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly type: 'text/css; charset=utf-8' | 'font/woff2';
}

/** Read at the first use: 1 MB. */
let bundle: ReturnType<typeof readBundle> | undefined;

/** Returns the names of style sheets by family, and the files by name, which contains a hash of the content. */
function readBundle() {
  const files = new Map<string, FontFile>();
  const addFile = (name: string, extension: string, file: FontFile) => {
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
    return [family, name] as const;
  });
  return { styleSheets: new Map(styleSheets), files };
}

/** Finds the name of the style sheet of a family, without regard to case, as CSS does; null for a font of others. */
export function findFontStyleSheet(family: string): string | null {
  const known = Object.keys(PACKAGES).find((name) => name.toLowerCase() === family.toLowerCase());
  if (known === undefined) return null;
  bundle ??= readBundle();
  return bundle.styleSheets.get(known) ?? null;
}

/** Finds a style sheet, or a file that one names. */
export function findFontFile(name: string): FontFile | null {
  bundle ??= readBundle();
  return bundle.files.get(name) ?? null;
}
