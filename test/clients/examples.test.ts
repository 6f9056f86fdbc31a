import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { prepared } from '../support/prepared.js';

const { api } = useApi();

const NODE = process.execPath;
const PYTHON = prepared('PLACEMENT_PYTHON');
const run = promisify(execFile);

test.each([
  [
    'codegen',
    NODE,
    'examples/dist/codegen/main.js',
    [
      'created codegen-host',
      '8 VCPU are free',
      'claimed at generation 1',
      'CONSUMER_GENERATION_CONFLICT',
      'released',
    ],
  ],
  [
    'Apollo',
    NODE,
    'examples/dist/apollo/main.js',
    [
      'two pages: apollo-host-1 and apollo-host-2',
      'renamed: apollo-host-1 and apollo-host-3',
      'deleted: no host',
    ],
  ],
  [
    'gql.tada and graphcache',
    NODE,
    'examples/dist/gql-tada/main.js',
    [
      '8 VCPU are free',
      'claimed at generation 1',
      '6 VCPU are free',
      '8 VCPU are free',
      'tada-host by its id',
      'deleted',
    ],
  ],
  [
    'Relay',
    NODE,
    'examples/dist/relay/main.js',
    [
      '8 VCPU are free',
      'claimed at generation 1',
      '6 VCPU are free',
      '1 by its id',
      '8 VCPU are free',
      'the consumer is gone',
      'the host is gone',
    ],
  ],
  [
    'Python',
    PYTHON,
    'examples/python/main.py',
    [
      expect.stringMatching(/^the schema has \d+ queries$/),
      'CreateResourceProviderPayload',
      'DUPLICATE_NAME',
      '8 VCPU are free',
      'generation 1',
      'deleted: True',
    ],
  ],
])('the example of %s does what it says, without a warning', async (_name, program, file, lines) => {
  const { stdout, stderr } = await run(program, [file], {
    // as in development: libraries say then what is wrong with what they get
    env: { PATH: process.env.PATH, NODE_ENV: 'development', PLACEMENT_URL: api.url },
    timeout: 20_000,
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toEqual(lines);
  expect(api.logged).toEqual([]);
});
