import { defineConfig } from 'vite';

/** Builds the console, the app for browsers. The service serves the built files as they are. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../src/generated/console',
    emptyOutDir: true,
    assetsDir: 'console',
    // the content security policy allows fonts as files, not as data URLs
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // one file for what the first page shares with later ones: many small files compress worse
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /preact|urql|graphql|console\/src\/(ui\/(?!paged|shortcut)|generated|settings\/own|editor\/field|list\/embed-view)/,
            },
          ],
        },
      },
    },
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
  },
});
