import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAuthenticator } from '../../src/authentication/authenticator.js';
import { createCloud, type Cloud } from '../access/cloud.js';
import { TOKEN_FILE, TOKENS } from '../access/viewers.js';
import { newFile, settingsWith } from '../authentication/support.js';
import { startApi, type Api } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { runClient, type Ended } from './client.js';

let database: TestDatabase;
let api: Api;
let cloud: Cloud;
beforeAll(async () => {
  database = await testDatabase();
  const open = await startApi(database, {});
  cloud = await createCloud(open);
  await open.close();
  const settings = settingsWith({ 'tokens.file': newFile(TOKEN_FILE) });
  api = await startApi(database, { authenticator: createAuthenticator(settings, console.error)! });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

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
