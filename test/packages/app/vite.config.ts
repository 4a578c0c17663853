import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const resolveReact18 = (name: string) => fileURLToPath(new URL(`./react-18/node_modules/${name}`, import.meta.url));

/** `vite build --mode react-18` builds the same app with React 18. */
export default defineConfig(({ mode, isSsrBuild }) => ({
  build: { outDir: `dist/${mode}${isSsrBuild ? '-server' : ''}`, emptyOutDir: true },
  resolve: {
    alias: mode === 'react-18' ? { react: resolveReact18('react'), 'react-dom': resolveReact18('react-dom') } : {},
  },
  ssr: { noExternal: true as const },
}));
