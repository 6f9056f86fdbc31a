import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { clientOf, runClient } from './client.js';

const { api } = useApi();
const { run, outputOf } = clientOf(api);

beforeAll(async () => {
  await createProviders(api, { name: 'host-0001', inventories: { VCPU: 4 } });
});

test.each([
  [3, 'provider show hots-0001', 'there is no resource provider "hots-0001"; did you mean "host-0001"?'],
  [3, 'usage host-001', 'there is no resource provider "host-001"; did you mean "host-0001"?'],
  [3, 'inventory show host-0001 VCPUS', 'host-0001 has no inventory of VCPUS; did you mean "VCPU'],
  [3, 'class show MEMORY_BM', 'there is no resource class "MEMORY_BM"; did you mean "MEMORY_MB'],
  [3, 'trait show COMPUTE_NODES', 'there is no trait "COMPUTE_NODES"; did you mean "COMPUTE_NODE'],
  [2, 'candidates VCPUS=1', 'did you mean "VCPU'],
  [2, 'top VCPUS', 'did you mean "VCPU'],
  [3, 'provider delete hots-0001', 'did you mean "host-0001"?'],
  [2, 'provder list', 'Did you mean provider?'],
  [2, 'provider lst', 'Did you mean list?'],
  [2, 'provider list --rots', 'Did you mean --roots?'],
  [2, 'serv', 'Did you mean serve?'],
  [2, 'serve --prt 1', 'Did you mean --port?'],
])('%d: %s suggests a name', async (code, line, suggestion) => {
  const error = expect.stringContaining(suggestion) as unknown;
  expect(await run(line)).toMatchObject({ code, error });
});

test.each([
  ['consumer show vm-1', '"vm-1" must be a uuid'],
  ['release vm-1', '"vm-1" must be a uuid'],
  ['candidates VCPU=1 --near vm-1', '"vm-1" must be a uuid'],
  ['provider create x --uuid 7', '"7" must be a uuid'],
  ['watch --kind inventories', '"inventories" must be one of created, deleted, renamed, moved, inventory'],
  ['audit --check usage', '"usage" must be one of broken-tree'],
  ['candidates VCPU=1 --limit 9999999999', '"9999999999" must be a whole number from 1'],
  ['headroom VCPU=1 --group-policy both', 'Allowed choices are none, isolate'],
])('%s is reported in words of the command line', async (line, message) => {
  const { code, error } = await run(line);
  expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) as unknown as string });
  expect(error).not.toMatch(/Variable|\$\w+|Int cannot|enum|scalar|GraphQL/);
});

/** Runs a command with a server that answers each request with this status and body. */
async function runAgainst(
  status: number,
  body: unknown,
  environment: Readonly<Record<string, string>> = {},
  path = '',
): Promise<{ code: number; error: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').writeHead(status).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const { code, error } = await runClient(url, ['class', 'list'], { environment });
  server.close();
  return { code, error };
}

test.each([
  [404, { errors: [{ status: 404, title: 'Not Found', detail: 'The resource could not be found.' }] }],
  [200, { data: null }],
  [200, { data: 7 }],
  [200, { data: {}, errors: [{ message: '' }, {}] }],
  [200, { data: {}, errors: 'none' }],
  [200, null],
])('an answer %d %j is none of the server', async (status, body) => {
  const { code, error } = await runAgainst(status, body, {}, '/placement');
  expect({ code, error }).toEqual({
    code: 6,
    error: expect.stringMatching(
      /^error: http:\S+\/placement answers \d+ \w.*, which is no answer of placement-graphql: check PLACEMENT_URL\n$/,
    ) as unknown as string,
  });
});

describe('a server that asks for a token', () => {
  test.each([
    [{}, 'set PLACEMENT_TOKEN or PLACEMENT_TOKEN_FILE'],
    [{ PLACEMENT_TOKEN: 'wrong' }, 'check PLACEMENT_TOKEN or PLACEMENT_TOKEN_FILE'],
  ])('with %p the message says %s', async (environment, hint) => {
    const errors = [{ message: 'The request has no valid token.', extensions: { code: 'UNAUTHENTICATED' } }];
    const { code, error } = await runAgainst(401, { errors }, environment);
    expect({ code, error }).toEqual({
      code: 7,
      error: `error: UNAUTHENTICATED: The request has no valid token: ${hint}\n`,
    });
  });
});

test.each([
  ['class list --limit abc', '--limit "abc" must be a whole number from 1'],
  ['top VCPU --limit abc', '--limit "abc" must be a whole number from 1'],
  ['provider create x --uuid 7', '--uuid "7" must be a uuid'],
  ['candidates VCPU=1 --near vm-1', '--near "vm-1" must be a uuid'],
  ['candidates --group gpu --resource VGPU', '--resource "VGPU" must be a resource class and an amount'],
  ['candidates --group gpu:VGPU', '--group "VGPU" must be a resource class and an amount'],
  ['candidates VCPU=1 --group-policy both', "option '--group-policy <policy>' argument 'both' is invalid"],
  ['audit --check usage', '--check "usage" must be one of broken-tree'],
])('%s: the message names the option', async (line, message) => {
  const { code, error } = await run(line);
  expect({ code, error }).toEqual({
    code: 2,
    error: expect.stringContaining(`error: ${message}`) as unknown,
  });
});

test.each(['quota set', 'quota list', 'provider tree', 'token create', 'quota', 'claim', 'serve'])(
  'help %s prints the help of the command',
  async (command) => {
    const { code, out } = await run(`help ${command}`);
    expect({ code, out }).toEqual({ code: 0, out: await outputOf(command, '--help') });
    expect(out).toMatch(new RegExp(`^Usage: placement-graphql ${command} `));
  },
);

test('help of a subcommand that does not exist prints the help of its group as a failure', async () => {
  const { code, out, error } = await run('help quota st');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(/^Usage: placement-graphql quota /);
});

test('--help lists the commands, the variables and the exit codes', async () => {
  const out = await outputOf('--help');
  expect(out).toMatch(
    /^Environment variables:\n {2}PLACEMENT_URL .*\n {2}PLACEMENT_TOKEN .*\n {2}PLACEMENT_TOKEN_FILE /m,
  );
  expect(out).toMatch(/^Exit codes:\n {2}0 {2}success\n( {2}\d {2}.*\n){7} {2}8 {2}unknown outcome/m);
});

describe('completion for fish', () => {
  test('has the commands, options and values', async () => {
    const { out } = await run('completion fish');
    expect(out).toContain(
      "    case 'provider list --output'\n      printf '%s\\n' table wide json yaml csv name\n",
    );
    expect(out).toMatch(/^ {4}case 'workload'\n {6}printf '%s\\n' plan claim --help$/m);
    expect(out).toMatch(/^complete -c placement-graphql /m);
  });

  const fish = ['/usr/bin/fish', process.env.PLACEMENT_TEST_FISH ?? ''].find((file) => existsSync(file));

  (fish ? test : test.skip)('completes', async () => {
    const { out: script } = await run('completion fish');
    const complete = async (line: string): Promise<string[]> => {
      const command = `${script}\ncomplete -C '${line}'`;
      const { stdout } = await promisify(execFile)(fish!, ['--no-config', '-c', command]);
      return stdout.trim().split('\n');
    };
    expect(await complete('placement-graphql prov')).toEqual(['provider']);
    expect(await complete('placement-graphql provider show host1 --al')).toEqual(['--allocations']);
    expect(await complete('placement-graphql provider list -o ')).toEqual(
      expect.arrayContaining(['table', 'wide', 'json', 'yaml', 'csv', 'name']),
    );
  });
});
