import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';

const { api } = useApi();

const folder = mkdtempSync(join(tmpdir(), 'placement-codegen-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The entry of the schema in docs/guides/typed-clients.md. */
const [, ENTRY] = /`schema: (\[.*\])`/.exec(readFileSync('docs/guides/typed-clients.md', 'utf8'))!;

test('graphql-codegen generates a union for a @oneOf input with the entry of the guide', async () => {
  const types = join(folder, 'types.ts');
  const config = join(folder, 'codegen.mjs');
  const schema = ENTRY.replace(/http:[^']*/, api.url);
  writeFileSync(
    config,
    `export default { schema: ${schema}, generates: { '${types}': { plugins: ['typescript'] } } };`,
  );
  const cli = 'node_modules/@graphql-codegen/cli/cjs/bin.js';
  await promisify(execFile)(process.execPath, [cli, '--config', config], { cwd: 'examples' });
  const [, union] = /export type ProviderRef =([^;]*;[^;]*;[^;]*;[^;]*;)/.exec(readFileSync(types, 'utf8'))!;
  expect(union).toContain('uuid?: never');
  expect(union).toContain('name?: never');
});
