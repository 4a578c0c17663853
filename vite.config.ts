import { defineConfig } from 'vite';

/** Builds the console: the app that browsers run, into files that the service serves as they are. */
export default defineConfig({
  root: 'src/console-app',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../generated/console',
    emptyOutDir: true,
    assetsDir: 'console',
    // what the style sheet names is a file of its own, which the policy allows and browsers keep
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
