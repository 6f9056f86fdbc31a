import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Authenticator } from '../../src/server/authentication/authenticator.js';
import { newToken } from '../../src/server/authentication/tokens/secret.js';
import { ask, open, refusal } from '../authentication/support.js';
import { KeystoneServer, type Scope } from './keystoneServer.js';

let keystone: KeystoneServer;
let project: { id: string };
let alice: { id: string };

beforeAll(async () => {
  keystone = await KeystoneServer.create();
  await keystone.login();
  project = await keystone.createProject('demo');
  alice = await keystone.createUser('alice');
});
afterAll(() => keystone?.remove());

const REFUSED = 'Unauthenticated: The token is not known to Keystone, has expired or is revoked.';
const AWAY = 'AuthenticationUnavailable: Keystone returned an invalid answer: try again later.';
const openWith = (seconds = 60): ReturnType<typeof open> =>
  open({ 'keystone.url': keystone.url, 'keystone.cacheSeconds': seconds });

/** A user with this role there, and a token of his. */
async function tokenOf(
  name: string,
  role: string,
  place: string,
  scope: Scope,
): Promise<{ id: string; token: string }> {
  const user = await keystone.createUser(name);
  await keystone.grant(user, place, role);
  return { id: user.id, token: await keystone.token(name, scope) };
}

describe('a token', () => {
  const implied: [string, string[]][] = [
    ['admin', ['admin', 'member', 'reader']],
    ['member', ['member', 'reader']],
    ['reader', ['reader']],
    ['service', ['service']],
    ['heat_stack_owner', []],
  ];

  test.each(implied)(
    'for a project has the role %s there, and what Keystone says that it implies',
    async (role, all) => {
      const { id, token } = await tokenOf(`${role}-of-project`, role, `projects/${project.id}`, { project });
      const viewer = await ask(openWith().authenticator, token);
      expect(viewer).toMatchObject({ userId: id, roles: new Set(all), projectId: project.id });
      expect(viewer.expiresAt! - Date.now()).toBeGreaterThan(3_500_000);
      expect(viewer.expiresAt! - Date.now()).toBeLessThanOrEqual(3_600_000);
    },
  );

  test.each(implied)('for the whole cloud has the role %s, and no project', async (role, all) => {
    const { id, token } = await tokenOf(`${role}-of-system`, role, 'system', { system: { all: true } });
    expect(await ask(openWith().authenticator, token)).toMatchObject({
      userId: id,
      roles: new Set(all),
      projectId: null,
    });
  });

  test.each(['admin', 'reader'])('for a domain has no role, though the user is its %s', async (role) => {
    const scope = { domain: { id: 'default' } };
    const { id, token } = await tokenOf(`${role}-of-domain`, role, 'domains/default', scope);
    expect(await ask(openWith().authenticator, token)).toMatchObject({
      userId: id,
      roles: new Set(),
      projectId: null,
    });
  });

  test('for nothing has no role and no project', async () => {
    const viewer = await ask(openWith().authenticator, await keystone.token('alice'));
    expect(viewer).toMatchObject({ userId: alice.id, roles: new Set(), projectId: null });
  });

  test('of an application has the roles that a user gave to it', async () => {
    await keystone.grant(alice, `projects/${project.id}`, 'reader');
    const token = await keystone.applicationToken('alice', alice, project);
    expect(await ask(openWith().authenticator, token)).toMatchObject({
      userId: alice.id,
      roles: new Set(['reader']),
      projectId: project.id,
    });
  });

  test('concurrent requests with a token ask Keystone once; later requests use the cache', async () => {
    const { authenticator } = openWith();
    const token = await keystone.token('alice');
    const [first, second] = await Promise.all([ask(authenticator, token), ask(authenticator, token)]);
    expect(second).toBe(first);
    expect(ask(authenticator, token)).toBe(first);
  });

  test('may come from an address with the version', async () => {
    for (const end of ['/', '/v3', '/v3/']) {
      const { authenticator } = open({ 'keystone.url': keystone.url + end });
      expect(await ask(authenticator, await keystone.token('alice'))).toMatchObject({ userId: alice.id });
    }
  });
});

describe('refused is a token', () => {
  test('that Keystone did not make', async () => {
    const token = await keystone.token('alice');
    const { authenticator } = openWith();
    for (const other of [`${token.slice(0, -12)}AAAAAAAAAAAA`, newToken(), 'x', '0'.repeat(32), 'a.b.c'])
      expect(await refusal(authenticator, other)).toBe(REFUSED);
    expect(await refusal(authenticator, 'x'.repeat(2_049))).toMatch(
      /^Unauthenticated: The token is of no accepted kind/,
    );
  });

  test('a revoked token is rejected once its cache entry ends', async () => {
    const { authenticator } = openWith(1);
    const token = await keystone.token('alice');
    await ask(authenticator, token);
    await keystone.revoke(token);
    expect(await ask(authenticator, token)).toMatchObject({ userId: alice.id });
    await sleep(1_100);
    expect(await refusal(authenticator, token)).toBe(REFUSED);
  });

  test('of an application that may ask for some addresses of a service alone', async () => {
    await keystone.grant(alice, `projects/${project.id}`, 'reader');
    const rules = [{ service: 'compute', method: 'GET', path: '/v2.1/servers' }];
    const token = await keystone.applicationToken('alice', alice, project, rules);
    expect(await refusal(openWith().authenticator, token)).toBe(REFUSED);
  });

  test('of a user who is disabled', async () => {
    const bob = await keystone.createUser('bob');
    const token = await keystone.token('bob');
    await keystone.disable(bob);
    expect(await refusal(openWith().authenticator, token)).toBe(REFUSED);
  });
});

describe('when Keystone', () => {
  /** Until a token that is not remembered is taken: connections that were refused leave nothing behind. */
  async function isTaken(authenticator: Authenticator, token: string): Promise<void> {
    expect(await ask(authenticator, token)).toMatchObject({ userId: alice.id });
  }

  test('is away, known tokens are taken until they are forgotten, others not, and all when it is back', async () => {
    const { authenticator, reports } = openWith(15);
    const [known, unknown] = [await keystone.token('alice'), await keystone.token('alice')];
    await isTaken(authenticator, known);
    const seen = Date.now();
    await keystone.stop();
    expect(ask(authenticator, known)).not.toBeInstanceOf(Promise);
    for (let count = 0; count < 3; count++) expect(await refusal(authenticator, unknown)).toBe(AWAY);
    await sleep(15_100 - (Date.now() - seen));
    expect(await refusal(authenticator, known)).toBe(AWAY);
    expect([...new Set(reports)]).toEqual([
      expect.stringMatching(/^asking http:\/\/127\S+\/v3\/auth\/tokens: Error: connect ECONNREFUSED/),
    ]);
    expect(reports.length).toBeLessThan(4); // fewer than failures: one in ten seconds
    await keystone.start();
    await isTaken(authenticator, known);
    await isTaken(authenticator, unknown);
  });

  test('a token that Keystone lets expire is accepted until then and no longer', async () => {
    await keystone.stop();
    await keystone.start(8);
    const token = await keystone.token('alice');
    const { authenticator } = openWith();
    const { expiresAt } = await ask(authenticator, token);
    expect(ask(authenticator, token)).not.toBeInstanceOf(Promise);
    await sleep(expiresAt! - Date.now() + 20);
    expect(await refusal(authenticator, token)).toBe(REFUSED);
  });
});
