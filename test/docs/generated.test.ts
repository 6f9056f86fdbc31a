import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('the generated code that is checked in is up to date', async () => {
  const options = {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, NODE_OPTIONS: '' },
  };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['scripts/generate.mjs', '--check'],
    options,
  );
  expect(stderr).toBe('');
});
