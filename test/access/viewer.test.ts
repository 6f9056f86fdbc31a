import { describe, expect, test } from '@jest/globals';
import { accessOf, VIEWERS } from '../../docs/generate/access.js';
import { buildSchema } from '../../src/api/schema.js';
import { inSeconds } from '../authentication/issuer.js';
import type { Answer } from '../support/api.js';
import { postJson } from '../support/httpPost.js';
import { createCloud, OTHER, OWN } from './cloud.js';
import { useGuardedApi } from './guardedApi.js';
import { TOKENS, type Name } from './viewers.js';

const schema = buildSchema();
const access = accessOf(schema);
const operations = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!].flatMap(
  (type) => Object.keys(type.getFields()).map((name) => [`${type.name}.${name}`, name] as const),
);

const { api, unguarded, issuer } = useGuardedApi({ fill: createCloud });

interface Viewer {
  readonly viewer: Record<string, unknown> | null;
}

async function ask(token: string, selection: string): Promise<Answer<Viewer>> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await postJson(api.url, { query: `{ viewer { ${selection} } }` }, headers);
  return (await response.json()) as Answer<Viewer>;
}

const ALL = 'subject roles projectId project { projectId consumerCount } expiresAt';

test.each([
  ['admin', ['ADMIN'], null],
  ['service', ['SERVICE'], null],
  ['reader', ['READER'], null],
  ['reader of a project', ['READER'], OWN],
  ['member', ['MEMBER', 'READER'], OWN],
  ['adminOfProject', ['ADMIN'], OTHER],
] as const)('%s', async (name, roles, projectId) => {
  const { data, errors } = await ask(TOKENS[name], ALL);
  expect(errors).toBeUndefined();
  expect(data.viewer).toEqual({
    subject: name.replaceAll(' ', '-'),
    roles: expect.arrayContaining([...roles]),
    projectId,
    project: projectId && { projectId, consumerCount: 1 },
    expiresAt: null,
  });
});

test('a token that expires', async () => {
  const exp = inSeconds(600);
  const token = await issuer.token({ claims: { roles: ['reader'], sub: 'ann', exp } });
  const { subject, expiresAt } = (await ask(token, 'subject expiresAt')).data.viewer!;
  expect(subject).toBe('ann');
  // the clocks of the issuer and the server may differ by half a minute
  expect(new Date(String(expiresAt)).getTime()).toBe(1_000 * (exp + 30));
});

test('a viewer without a role may use nothing but viewer', async () => {
  const token = await issuer.token({ claims: { roles: ['nobody'], sub: 'ann' } });
  expect(await ask(token, 'a: may(operation: "viewer") b: may(operation: "consumers") roles')).toMatchObject({
    data: { viewer: { a: 'YES', b: 'NO', roles: [] } },
  });
});

test('a viewer with a project but without a role for it does not read the project', async () => {
  const token = await issuer.token({ claims: { roles: ['nobody'], sub: 'ann', project_id: OWN } });
  const { data, errors } = await ask(token, `${ALL} may(operation: "project")`);
  expect(errors).toBeUndefined();
  expect(data.viewer).toMatchObject({ roles: [], projectId: OWN, project: null, may: 'NO' });
});

test('without authentication it is anonymous and may use everything', async () => {
  const { data } = await unguarded.query(`{ viewer { ${ALL} may(operation: "reshape") } }`);
  expect(data).toEqual({
    viewer: {
      subject: 'anonymous',
      roles: ['ADMIN', 'SERVICE', 'READER', 'MEMBER'],
      projectId: null,
      project: null,
      expiresAt: null,
      may: 'YES',
    },
  });
});

describe('may', () => {
  const VALUES = { yes: 'YES', own: 'OWN_PROJECT', no: 'NO' } as const;

  test('names of operations are unique', () => {
    expect(new Set(operations.map(([, name]) => name)).size).toBe(operations.length);
  });

  test.each(VIEWERS)('%s: as in the table of fields by role', async (viewer) => {
    const selection = operations.map(([, name]) => `${name}: may(operation: "${name}")`).join(' ');
    const { data } = await ask(TOKENS[viewer as Name], selection);
    const expected = operations.map(([field, name]) => [name, VALUES[access.get(field)![viewer]]]);
    expect(data.viewer).toEqual(Object.fromEntries(expected));
  });

  test.each([
    ['claims', 'did you mean "claim"'],
    ['__proto__', 'is not an operation'],
    ['x'.repeat(10_000), 'is not an operation'],
  ])('an unknown operation is INVALID_INPUT: %s', async (operation, message) => {
    const { errors } = await ask(TOKENS.reader, `may(operation: "${operation}")`);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', path: ['operation'] } }]);
    expect(errors![0].message).toContain(message);
  });
});
