import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { invalidInput, useApi } from '../support/api.js';
import { claimed, setAllocations, takes, type Takes } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';

const { api, database } = useApi();
const HOST = 'aaaaaaaa-0000-4000-8000-000000000001';
const BARE = 'aaaaaaaa-0000-4000-8000-000000000002';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const NEW = 'cccccccc-0000-4000-8000-000000000001';

beforeAll(async () => {
  await createProviders(api, {
    name: 'host',
    uuid: HOST,
    inventories: { VCPU: 8, DISK_GB: { total: 100, maxUnit: 50 } },
  });
  await createProviders(api, { name: 'bare', uuid: BARE });
});

const good = takes(NEW, null, { [HOST]: { VCPU: 1 } });
const amounts = (...resources: object[]) => ({
  allocations: { providers: [{ resourceProvider: { uuid: HOST }, resources }] },
});
const VCPU = { resourceClass: 'VCPU', amount: 1 };
const LOWER = { resourceClass: 'vcpu', amount: 1 };
const UNKNOWN = { resourceClass: 'CUSTOM_NO_SUCH', amount: 1 };
const ofProvider = (uuid: string) => ({ resourceProvider: { uuid }, resources: [VCPU] });
const TWICE = { allocations: { providers: [HOST, HOST.toUpperCase()].map(ofProvider) } };
const refused = (input: object) => unchanged(database, () => setAllocations(api, input));

const FIRST = 'allocations.providers.0.resources';

describe('input that is refused whatever is stored, with the path to it', () => {
  test.each<[string, object, string, string]>([
    ['a lower-case consumer type', { type: 'instance' }, 'type', '"instance"'],
    ['an empty consumer type', { type: '' }, 'type', '""'],
    ['a consumer type of 256 characters', { type: 'A'.repeat(256) }, 'type', '1 to 255'],
    ['the filter word "all" as a type (rule 4)', { type: 'all' }, 'type', '"all"'],
    ['an empty project id', { projectId: '' }, 'projectId', 'project'],
    ['a project id of 256 characters', { projectId: 'p'.repeat(256) }, 'projectId', '256'],
    ['an empty user id', { userId: '' }, 'userId', 'user'],
    ['a user id of 256 characters', { userId: 'u'.repeat(256) }, 'userId', '256'],
    ['a user id with half a character', { userId: '\ud800' }, 'userId', 'user'],
    ['a provider without classes (rule 93)', amounts(), FIRST, HOST],
    ['the amount 0 (rule 93)', amounts({ ...VCPU, amount: 0 }), `${FIRST}.0.amount`, '0'],
    ['a negative amount', amounts({ ...VCPU, amount: -1 }), `${FIRST}.0.amount`, '-1'],
    ['an unknown class (rule 100)', amounts(VCPU, UNKNOWN), `${FIRST}.1.resourceClass`, 'CUSTOM_NO_SUCH'],
    ['a class in lower case (decision D8)', amounts(LOWER), `${FIRST}.0.resourceClass`, '"vcpu"'],
    ['a class twice (decision D7)', amounts(VCPU, VCPU), `${FIRST}.1.resourceClass`, 'VCPU'],
    ['a provider twice (decision D7)', TWICE, 'allocations.providers.1.resourceProvider', HOST],
  ])('%s', async (_what, change, path, named) => {
    expect(await refused({ ...good, ...change })).toEqual({
      __typename: 'InvalidInputError',
      code: 'INVALID_INPUT',
      message: expect.stringContaining(named),
      retryable: false,
      path: `consumers.0.${path}`.split('.'),
    });
  });

  test('a consumer twice, in any spelling (decision D7)', async () => {
    const answer = await unchanged(database, () =>
      setAllocations(api, good, { ...good, consumer: NEW.toUpperCase().replaceAll('-', '') }),
    );
    expect(answer).toMatchObject({ code: 'INVALID_INPUT', path: ['consumers', '1', 'consumer'] });
  });

  test('no consumer at all', async () => {
    expect(await unchanged(database, () => setAllocations(api))).toMatchObject(invalidInput('consumers'));
  });

  test('of several the first in the order of the input', async () => {
    const bad = { ...good, consumer: randomUUID(), projectId: '', ...amounts({ ...VCPU, amount: 0 }) };
    expect(await unchanged(database, () => setAllocations(api, good, bad))).toMatchObject({
      path: ['consumers', '1', 'projectId'],
    });
  });
});

describe('values of the wrong type never reach the ledger', () => {
  test.each([
    ['no uuid of a consumer', { ...good, consumer: 'me' }],
    ['no uuid of a provider', { ...good, allocations: { providers: [ofProvider('host')] } }],
    ['no project', { ...good, projectId: null }],
    ['no allocations', { ...good, allocations: undefined }],
    ['an unknown field', { ...good, mappings: {} }],
  ])('%s', async (_what, input) => {
    await expect(refused(input)).rejects.toThrow('BAD_USER_INPUT');
  });
});

describe('refusals with their fields; nothing is changed by any of them (rules 100, 101)', () => {
  test('an unknown provider is NOT_FOUND', async () => {
    expect(await refused(takes(NEW, null, { [HOST]: { VCPU: 1 }, [NOBODY]: { VCPU: 1 } }))).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
      message: `resource provider ${NOBODY} does not exist`,
      retryable: false,
      path: ['consumers', '0', 'allocations', 'providers', '1', 'resourceProvider'],
      entity: 'RESOURCE_PROVIDER',
      key: NOBODY,
    });
  });

  const ofAmount = (resourceProviderUuid: string, resourceClassName: string) => ({
    retryable: false,
    path: ['consumers', '0', 'allocations', 'providers', '0', 'resources', '0', 'amount'],
    resourceProviderUuid,
    resourceClassName,
  });

  test.each([
    ['any inventory', BARE, 'VCPU'],
    ['an inventory of the class', HOST, 'MEMORY_MB'],
  ])('a provider without %s is NO_INVENTORY', async (_what, provider, resourceClass) => {
    expect(await refused(takes(NEW, null, { [provider]: { [resourceClass]: 1 } }))).toEqual({
      ...ofAmount(provider, resourceClass),
      __typename: 'NoInventoryError',
      code: 'NO_INVENTORY',
      message: `resource provider ${provider} has no inventory of ${resourceClass}`,
    });
  });

  test('an amount above maxUnit is UNIT_VIOLATION', async () => {
    expect(await refused(takes(NEW, null, { [HOST]: { DISK_GB: 51 } }))).toEqual({
      ...ofAmount(HOST, 'DISK_GB'),
      __typename: 'UnitViolationError',
      code: 'UNIT_VIOLATION',
      message: `resource provider ${HOST} gives DISK_GB from 1 to 50 in steps of 1, not 51`,
      requested: 51,
      minUnit: 1,
      maxUnit: 50,
      stepSize: 1,
    });
  });

  test('an amount above the capacity is CAPACITY_EXCEEDED', async () => {
    const other = await claimed(api, { [HOST]: { VCPU: 3 } });
    expect(await refused(takes(NEW, null, { [HOST]: { VCPU: 6 } }))).toEqual({
      ...ofAmount(HOST, 'VCPU'),
      __typename: 'CapacityExceededError',
      code: 'CAPACITY_EXCEEDED',
      message: `resource provider ${HOST} has 8 of VCPU, others use 3, so 6 do not fit`,
      requested: 6,
      capacity: 8,
      used: 3,
    });
    await api.mutate('deleteConsumer', { consumer: other });
  });
});

describe('when several reasons apply, the one that comes first in the vocabulary is given', () => {
  /** Each has the fault of its name and all that come after it. */
  test.each<[code: string, generation: number | null, byProvider: Takes]>([
    ['NOT_FOUND', 5, { [NOBODY]: { VCPU: 1 }, [BARE]: { VCPU: 1 } }],
    ['CONSUMER_GENERATION_CONFLICT', 5, { [BARE]: { VCPU: 1 }, [HOST]: { DISK_GB: 60 } }],
    ['NO_INVENTORY', null, { [HOST]: { VCPU: 9, DISK_GB: 60 }, [BARE]: { VCPU: 1 } }],
    ['UNIT_VIOLATION', null, { [HOST]: { VCPU: 9, DISK_GB: 60 } }],
    ['CAPACITY_EXCEEDED', null, { [HOST]: { VCPU: 9, DISK_GB: 50 } }],
  ])('%s', async (code, generation, byProvider) => {
    expect(await refused(takes(NEW, generation, byProvider))).toMatchObject({ code });
  });

  test('INVALID_INPUT before all', async () => {
    expect(await refused({ ...takes(NEW, 5, { [NOBODY]: { VCPU: 1 } }), userId: '' })).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  test('of two of a kind the first in the order of the input', async () => {
    const both = { [BARE]: { DISK_GB: 1, VCPU: 1 }, [HOST]: { MEMORY_MB: 1 } };
    expect(await refused(takes(NEW, null, both))).toMatchObject({
      resourceProviderUuid: BARE,
      resourceClassName: 'DISK_GB',
    });
  });
});
