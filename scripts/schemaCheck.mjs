// npm run schema:check: fails if schema.graphql breaks clients of the last release in a way that CHANGELOG.md does not declare.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASED_SCHEMA, undeclaredChanges } from './delivery/breakingChanges.mjs';
import { root } from './setup/run.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const changes = await undeclaredChanges(read(RELEASED_SCHEMA), read('schema.graphql'), read('CHANGELOG.md'));
for (const change of changes) console.error(change);
if (changes.length > 0) {
  console.error(
    'These changes break clients. Undo them, or name the elements in the table of breaking changes of CHANGELOG.md.',
  );
  process.exitCode = 1;
}
