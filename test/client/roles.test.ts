import { expect, test } from '@jest/globals';
import { createCloud, type Cloud } from '../access/cloud.js';
import { useGuardedApi } from '../access/guardedApi.js';
import { TOKENS } from '../access/viewers.js';
import { runClient, type Ended } from './client.js';

let cloud: Cloud;
const { api } = useGuardedApi({ fill: async (unguarded) => (cloud = await createCloud(unguarded)) });

const asMember = (line: string): Promise<Ended> =>
  runClient(api.url, line.split(' '), { environment: { PLACEMENT_TOKEN: TOKENS.member } });

test('a member sees the consumers of the project with their amounts, without providers', async () => {
  expect(await asMember('consumer list')).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(`^CONSUMER .*TAKES\\n${cloud.own} +INSTANCE +project-own +user +VCPU=2\\n$`),
    ),
    error: '',
  });
  const { code, out } = await asMember(`consumer show ${cloud.own}`);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/VCPU=2\n$/) });
  const { code: projects, out: used } = await asMember('project list');
  expect({ projects, used }).toEqual({
    projects: 0,
    used: expect.stringMatching(/project-own +1 +VCPU=2\n$/),
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
  'watch',
])('%s is refused to a member in one line', async (line) => {
  const { code, out, error } = await asMember(line);
  expect({ code, out, error }).toEqual({
    code: 7,
    out: '',
    error: expect.stringMatching(/^error: FORBIDDEN: .*\n$/),
  });
});
