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
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
  },
});
