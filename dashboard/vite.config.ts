import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { trustedDocuments } from './documents';

const SERVER = 'http://127.0.0.1:4000';

/**
 * Builds the dashboard into dist/dashboard, from where the server serves it. Scripts, styles and pictures are files of their own,
 * named by their content, because the page's content security policy allows nothing inside of the page.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [trustedDocuments()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
  },
  // `npx vite dashboard` shows each change at once, on the data of the server that runs at this address
  server: { proxy: { '/graphql': { target: SERVER, headers: { origin: SERVER } } } },
});
