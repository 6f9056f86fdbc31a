import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { requestOf } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';

const DOCUMENT = `query ($request: AllocationCandidatesInput!, $upTo: Int! = 1000) {
  headroom(request: $request, upTo: $upTo) { count reachedUpTo exact trees }
}`;

const { api } = useApi();

beforeAll(async () => {
  for (const name of ['one', 'two']) {
    await createProviders(api, { name, children: [{ name: `${name}-gpu`, inventories: { VGPU: 8 } }] });
  }
});

const vgpu = (amount: number, group?: object) => requestOf({ VGPU: amount }, group);

describe('headroom', () => {
  test('counts how many more fit, in how many trees', async () => {
    const ask = async (request: object, upTo?: number) => api.read(DOCUMENT, { request, upTo });
    expect(await ask(vgpu(3))).toEqual({
      headroom: { count: 4, reachedUpTo: false, exact: true, trees: 2 },
    });
    expect(await ask(vgpu(1), 5)).toEqual({
      headroom: { count: 5, reachedUpTo: true, exact: true, trees: 2 },
    });
    expect(await ask(vgpu(1, { memberOf: [[{ uuid: '00000000-0000-4000-8000-000000000000' }]] }))).toEqual({
      headroom: { count: 0, reachedUpTo: false, exact: true, trees: 0 },
    });
  });

  test.each([
    [{ request: vgpu(1), upTo: 0 }, 'upTo'],
    [{ request: vgpu(1), upTo: -1 }, 'upTo'],
    [{ request: vgpu(1), upTo: 100_001 }, 'upTo'],
    [{ request: { groups: [] } }, 'groups'],
    [{ request: vgpu(0) }, 'groups.0.resources.0.amount'],
    [{ request: vgpu(1, { requiredTraits: [['NO_SUCH_TRAIT']] }) }, 'groups.0.requiredTraits.0.0'],
  ])('refuses %j', async (variables, inputPath) => {
    expect(await api.failure(DOCUMENT, variables)).toMatchObject(invalidInput(inputPath));
  });
});
