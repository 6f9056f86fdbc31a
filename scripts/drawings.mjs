// npm run docs:drawings: draws the SVGs of docs/images from the answers of an empty server that it starts and stops.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFreshServer } from './setup/freshServer.mjs';
import { prepare } from './setup/prepare.mjs';
import { DOCS, prepareDocs, prepareProject } from './setup/project.mjs';
import { root } from './setup/run.mjs';

await prepare(prepareProject, prepareDocs);
const { DRAWINGS, drawings } = await import(`../${DOCS}/drawings/drawings.js`);
await withFreshServer(['--empty'], async (url) => {
  for (const [file, text] of await drawings(root, (document) => ask(url, document)))
    writeFileSync(join(root, DRAWINGS, file), text);
});

async function ask(url, query) {
  const headers = { 'content-type': 'application/json' };
  const response = await globalThis.fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
