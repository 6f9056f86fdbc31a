import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createCloud, type Cloud } from '../access/cloud.js';
import { useGuardedApi } from '../access/guardedApi.js';
import { TOKENS } from '../access/viewers.js';
import { folderOfFile } from '../support/folder.js';
import { runClient, type Ended } from './client.js';

const folder = folderOfFile();
let cloud: Cloud;
const { api } = useGuardedApi({ fill: async (unguarded) => (cloud = await createCloud(unguarded)) });

const run = (line: string, environment: Record<string, string>): Promise<Ended> =>
  runClient(api.url, line.split(' '), { environment });
const asMember = (line: string): Promise<Ended> => run(line, { PLACEMENT_TOKEN: TOKENS.member });

test('the token is that of the environment, otherwise that of a file', async () => {
  const file = { PLACEMENT_TOKEN_FILE: join(folder, 'token') };
  writeFileSync(file.PLACEMENT_TOKEN_FILE, `${TOKENS.member}\n`);
  const codes = [{}, file, { ...file, PLACEMENT_TOKEN: 'pgt_wrong' }].map(
    async (environment) => (await run('consumer list', environment)).code,
  );
  expect(await Promise.all(codes)).toEqual([7, 0, 7]);
});

test('a member sees the consumers of the project with their amounts, without providers', async () => {
  expect(await asMember('consumer list')).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(`^CONSUMER .*TAKES\\n${cloud.own} +INSTANCE +project-own +user +- +VCPU=2\\n$`),
    ),
    error: '',
  });
  expect(await asMember(`consumer show ${cloud.own}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/VCPU=2\n$/),
  });
  expect(await asMember('project list')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/project-own +1 +VCPU=2\n$/),
  });
});

test.each([
  'provider list',
  'provider show host',
  'inventory list host',
  'usage host',
  'top',
  'top VCPU --by zone',
  'candidates VCPU=1',
  'why VCPU=1',
  'headroom VCPU=1',
  'class list',
  'trait list',
  'aggregate list',
  'audit',
  'rebalance --goal even-out',
  'drain host --dry-run',
  'provider delete host',
  'provider delete host --recursive',
  'cordon host',
  'consumer list --project other',
  'consumer list --in-tree host',
  'watch',
])('%s is refused to a member in one line, with the role that it needs', async (line) => {
  expect(await asMember(line)).toEqual({
    code: 7,
    out: '',
    error: expect.stringMatching(/^error: FORBIDDEN: .* requires the role admin or service\b.*\n$/),
  });
});
