import { globSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

const ROOT = import.meta.dirname;
const OUTPUT = join(ROOT, 'dist');

/** Folders of the files that the build contains. */
const SOURCES = ['src', 'packages/fetcher/src', 'packages/frame/src', 'packages/reader/src'].map((folder) =>
  join(ROOT, folder),
);

/** Packages that are installed beside the package. The build contains all others. */
const INSTALLED = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];

/** Files that the service finds with `resolve` and reads at run time, and licences of files that no module contains. */
const COPIED_FILES = [
  ...globSync('@fontsource-variable/*/{LICENSE,wght.css,wght-italic.css,files/*-wght-*.woff2}', {
    cwd: join(ROOT, 'node_modules'),
  }),
];

/**
 * Keeps the URLs of files that the service reads. Its own files stay where they are, below `src/` and `prisma/`. Files of
 * other packages are copied into the build. A TypeScript file is the start of a process, and an entry of the build.
 */
const keepFileUrls: Plugin = {
  name: 'keep-file-urls',
  enforce: 'pre',
  transform(code, id) {
    if (!SOURCES.some((folder) => id.startsWith(folder))) return null;
    const original = JSON.stringify(`../${relative(ROOT, id)}`);
    return code
      .replace(/\bresolve\((['`])(?=@fontsource-variable\/)/g, 'resolve($1./')
      .replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|createRequire\(import\.meta\.url\)|import\.meta\.url/g,
        (match, entry?: string) => {
          if (entry) return `new URL('./${entry}.js', import.meta.url)`;
          return match.startsWith('createRequire') ? match : `new URL(${original}, import.meta.url).href`;
        },
      );
  },
  async writeBundle() {
    for (const file of COPIED_FILES) {
      await mkdir(dirname(join(OUTPUT, file)), { recursive: true });
      await copyFile(join(ROOT, 'node_modules', file), join(OUTPUT, file));
    }
  },
};

const refuseOtherImports: Plugin = {
  name: 'refuse-other-imports',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      for (const name of [...file.imports, ...file.dynamicImports]) {
        const isKnown = name in files || name.startsWith('node:') || builtinModules.includes(name);
        if (!isKnown && !INSTALLED.includes(name))
          this.error(`${file.fileName} imports ${name}, which is not installed.`);
      }
    }
  },
};

/** Builds the service for the package: JavaScript with all packages but the installed ones. */
export default defineConfig({
  publicDir: false,
  plugins: [keepFileUrls, refuseOtherImports],
  ssr: { noExternal: true, external: INSTALLED },
  // CommonJS entries, as in Node: with the ES modules of graphql there would be two copies of it
  resolve: { mainFields: ['main'] },
  build: {
    ssr: true,
    target: 'node22.18',
    outDir: OUTPUT,
    minify: false,
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: 'src/main.ts',
        'article-worker': 'packages/reader/src/article-worker.ts',
        'page-check-worker': 'src/store/sqlite/integrity/page-check-worker.ts',
      },
      output: { chunkFileNames: '[name]-[hash].js' },
    },
  },
});
