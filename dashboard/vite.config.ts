import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { trustedDocuments } from './documents';

const SERVER = 'http://127.0.0.1:4000';

/** The parts that several views use, but not the first one. They compress better in one file than in a file for each. */
const LATER =
  /components[\\/](actionDialog|confirmDialog|failureText|formText|hostChange|lostTraits|moveButton|projectLink|providerTermList|termList|useCatalog|usePlan)|api[\\/]useAnswer|views[\\/]drain[\\/](?!drainView|whatIf)|generated[\\/]drain/;

/**
 * Builds the dashboard into dist/dashboard, from where the server serves it. Scripts, styles and
 * pictures are separate files with a hash in their name, because the content security policy of the
 * page forbids inline content.
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
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'shared', test: LATER }] },
      },
    },
  },
  // `npx vite dashboard` shows each change immediately, with the data of the server at this address
  server: { proxy: { '/graphql': { target: SERVER, headers: { origin: SERVER } } } },
});
