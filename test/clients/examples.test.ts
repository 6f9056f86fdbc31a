import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { prepared } from '../support/prepared.js';

const { api } = useApi();

const NODE = process.execPath;
const PYTHON = prepared('PLACEMENT_PYTHON');
const run = promisify(execFile);

/** What the clients with a normalized cache print: an update and a claim change the tree in the cache. */
function cached(client: string): string[] {
  return [
    `${client}-host: ${client}-numa-0, ${client}-numa-1`,
    '8 VCPU are free',
    `pages of two: ${client}-host, ${client}-numa-0, ${client}-numa-1`,
    'HW_CPU_X86_AVX2, 6 VCPU are free',
    'claimed at generation 1',
    '4 VCPU are free',
  ];
}

/** Returns the lines that a guide shows below a command: the next indented block. */
function printedIn(guide: string, command: string): string[] {
  const [, after] = readFileSync(guide, 'utf8').split(`\n    ${command}\n\n`);
  return /^(?: {4}.+\n)+/
    .exec(after)![0]
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(4));
}

test.each([
  [
    'codegen',
    NODE,
    ['examples/dist/codegen/main.js'],
    [
      'created codegen-host',
      'codegen-numa-0: 8 VCPU are free',
      'codegen-numa-1: 8 VCPU are free',
      'pages of two: codegen-host, codegen-numa-0, codegen-numa-1',
      'HW_CPU_X86_AVX2, 6 VCPU are free',
      'claimed at generation 1',
      'changed: codegen-numa-0',
      'CONSUMER_GENERATION_CONFLICT',
      'released',
    ],
  ],
  [
    'gql.tada',
    NODE,
    ['examples/dist/gql-tada/main.js'],
    [
      'tada-host/tada-numa: 8 VCPU are free',
      'pages of one: tada-numa, tada-host',
      'it has HW_CPU_X86_AVX2',
      'INVENTORY and TRAITS: 6 VCPU are free',
      'claimed at generation 1',
      'USAGE: 4 VCPU are free',
      'deleted',
    ],
  ],
  ['urql', NODE, ['examples/dist/urql/main.js'], [...cached('urql'), '6 VCPU are free', 'deleted']],
  ['Apollo', NODE, ['examples/dist/apollo/main.js'], [...cached('apollo'), 'deleted']],
  [
    'Relay',
    NODE,
    ['examples/dist/relay/main.js'],
    [...cached('relay'), '1 by its id', '6 VCPU are free', 'the consumer is gone', 'the provider is gone'],
  ],
  [
    'Python',
    PYTHON,
    ['-W', 'error', 'examples/python/main.py'],
    [
      expect.stringMatching(/^the schema has \d+ queries$/),
      'CreateResourceProviderPayload',
      'DUPLICATE_NAME',
      'HW_CPU_X86_AVX2 8',
      'generation 1',
      'python-numa VCPU 8',
      'pages of one: python-host, python-numa',
      'claimed at generation 1',
      'generation 2',
      'deleted: True',
    ],
  ],
  [
    'a scheduler',
    NODE,
    ['examples/scheduler/offers.mjs'],
    printedIn('docs/guides/offers.md', 'node examples/scheduler/offers.mjs'),
  ],
])('the example of %s does what it says, without a warning', async (_name, program, options, lines) => {
  const { stdout, stderr } = await run(program, options, {
    // in development libraries warn about wrong use
    env: { PATH: process.env.PATH, NODE_ENV: 'development', PLACEMENT_URL: api.url },
    timeout: 20_000,
  });
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n')).toEqual(lines);
  expect(api.logged).toEqual([]);
});

test('the scheduler takes nothing of other hosts and leaves nothing behind', async () => {
  await createProviders(api, { name: 'another-host', inventories: { VCPU: 64 } });
  const { stdout } = await run(NODE, ['examples/scheduler/offers.mjs'], {
    env: { PATH: process.env.PATH, PLACEMENT_URL: api.url },
    timeout: 20_000,
  });
  expect(stdout).toContain('a second offer of the same resources: null\n');
  const left = `{
    resourceProviders(filter: { nameStartsWith: "offers-" }) { nodes { name } }
    consumers(filter: { projectId: "demo" }) { nodes { uuid } }
  }`;
  expect(await api.read(left)).toEqual({ resourceProviders: { nodes: [] }, consumers: { nodes: [] } });
});
