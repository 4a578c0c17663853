/**
 * Builds the reference at `/docs` into `src/generated/reference`: a document and Markdown for each page, `llms.txt`, the words of the search, and
 * the scripts and the styles of all pages.
 *
 *   node packages/reference/src/build.ts
 *
 * Fails if a link leads nowhere, or if an id occurs twice on a page.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';
import { type Assets, renderDocument } from './layout.ts';
import { brokenLinksOf, repeatedIdsOf } from './links.ts';
import { markdownUrlOf, writeLlmsText, writeMarkdown } from './page-markdown.ts';
import { searchPagesOf } from './search-entries.ts';
import { createSite } from './site.ts';

const OUTPUT = 'src/generated/reference';

/** Bundles the scripts and the styles. Their URLs contain a hash of the content. */
async function buildAssets(): Promise<Assets> {
  const result = await build({
    configFile: false,
    root: 'packages/reference/src/client',
    base: '/docs/',
    logLevel: 'warn',
    build: {
      outDir: resolve(OUTPUT),
      emptyOutDir: true,
      assetsDir: 'assets',
      // the content security policy allows fonts as files, not as data URLs
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: ['main.ts', 'search.ts', 'styles.css'].map((name) => `packages/reference/src/client/${name}`),
        output: { entryFileNames: 'assets/[name]-[hash].js', assetFileNames: 'assets/[name]-[hash][extname]' },
      },
    },
  });
  const files = [result]
    .flat()
    .flatMap((part) => ('output' in part ? part.output.map(({ fileName }) => fileName) : []));
  const nameOf = (start: string, extension: string) =>
    files.find((name) => name.startsWith(`assets/${start}`) && name.endsWith(extension)) ?? '';
  const scriptOf = async (start: string) => {
    const name = nameOf(start, '.js');
    const hash = createHash('sha256').update(await readFile(join(OUTPUT, name)));
    return { url: `/docs/${name}`, hash: `sha256-${hash.digest('base64')}` };
  };
  return {
    main: await scriptOf('main-'),
    search: await scriptOf('search-'),
    styles: `/docs/${nameOf('styles-', '.css')}`,
  };
}

const { groups, version, missing } = createSite();
const pages = [...groups.flatMap((group) => group.pages), missing];
const faults = [...brokenLinksOf(pages), ...repeatedIdsOf(pages)];
if (faults.length > 0) throw new Error(`Links lead nowhere, or ids are not unique:\n${faults.join('\n')}`);

const assets = await buildAssets();
for (const page of pages) {
  const file = join(OUTPUT, `pages${page.url}.html`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, renderDocument({ page, groups, assets, version }));
  await writeFile(join(OUTPUT, `pages${markdownUrlOf(page)}`), writeMarkdown(page));
}
await writeFile(join(OUTPUT, 'pages/llms.txt'), writeLlmsText(groups));
await writeFile(join(OUTPUT, 'search.json'), JSON.stringify(searchPagesOf(groups)));
