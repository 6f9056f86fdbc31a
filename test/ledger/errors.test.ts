import { expect, test } from '@jest/globals';
import * as errors from '../../src/model/rejections.js';
import { InvalidInput } from '../../src/model/input.js';
import { codeOf, REJECTIONS, type ErrorCode } from '../../src/model/errors.js';
import { NoCandidates } from '../../src/moves/claim/noCandidates.js';
import { fleetRequests } from '../../bench/requests.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';

const [uuid, other] = ['4e8e5957-649f-477b-9e5b-f1f75b21c03c', 'c7a2a9ab-0b6c-4e4c-8a4d-0d5f8b0f2f9e'];

const SEARCHED: ConstructorParameters<typeof NoCandidates>[0] = {
  snapshot: fleetSnapshot(1).snapshot,
  workload: {
    members: [
      {
        name: 'vm',
        count: 3,
        requests: [fleetRequests({ zone: uuid, host: other, nodes: [] }).q1],
        placement: 'ANY',
      },
    ],
    topology: [],
  },
};

const NO_PLACE: ConstructorParameters<typeof NoCandidates>[1] = {
  kind: 'IMPOSSIBLE',
  cause: { member: 0, rule: null, shortage: null },
  requested: 3,
  fit: [2],
  isLargest: true,
};

/** One rejection of each code, in order of precedence, with the words of its message. */
const EXAMPLES: [Error, ErrorCode, string[]][] = [
  [new errors.OlderServer('holds', ['process 7 on b']), 'OLDER_SERVER', ['holds', 'process 7 on b']],
  [new InvalidInput(['name'], 'a message'), 'INVALID_INPUT', ['a message']],
  [new errors.NotFound('RESOURCE_PROVIDER', uuid), 'NOT_FOUND', ['resource provider', uuid]],
  [new errors.DuplicateName('cn1', { uuid, name: 'cn1' }), 'DUPLICATE_NAME', ['cn1', uuid]],
  [new errors.DuplicateUuid(uuid), 'DUPLICATE_UUID', [uuid]],
  [new errors.StandardIsImmutable('VCPU'), 'STANDARD_IS_IMMUTABLE', ['VCPU']],
  [new errors.IllegalReparent(uuid, other), 'ILLEGAL_REPARENT', [uuid, other]],
  [new errors.ProviderGenerationConflict(uuid, 3, 5), 'PROVIDER_GENERATION_CONFLICT', [uuid, '3', '5']],
  [
    new errors.ConsumerGenerationConflict(uuid, null, 5),
    'CONSUMER_GENERATION_CONFLICT',
    [uuid, 'absent', '5'],
  ],
  [
    new errors.ProviderHasChildren(uuid, [{ uuid: other, name: 'numa0' }], 3),
    'PROVIDER_HAS_CHILDREN',
    [uuid, 'children: "numa0" and 2 more'],
  ],
  [
    new errors.ProviderInUse(uuid, { count: 1, first: [other] }),
    'PROVIDER_IN_USE',
    [uuid, `of consumer ${other}`],
  ],
  [new errors.TraitInUse('CUSTOM_T'), 'TRAIT_IN_USE', ['CUSTOM_T']],
  [new errors.ResourceClassInUse('CUSTOM_C'), 'RESOURCE_CLASS_IN_USE', ['CUSTOM_C']],
  [new errors.AggregateInUse(uuid, [other]), 'AGGREGATE_IN_USE', [uuid, other]],
  [
    new errors.InventoryInUse(uuid, ['VCPU', 'PCPU'], { count: 2, first: [other] }),
    'INVENTORY_IN_USE',
    [uuid, 'VCPU', 'PCPU', `${other} and 1 more`],
  ],
  [
    new errors.ConsumptionInUse(uuid, 'VGPU', other, 'CUSTOM_SLICE', 'COUNTER_NEEDED'),
    'CONSUMPTION_IN_USE',
    [uuid, 'VGPU', other, 'CUSTOM_SLICE'],
  ],
  [new errors.NoInventory(uuid, 'VCPU'), 'NO_INVENTORY', [uuid, 'VCPU']],
  [
    new errors.UnitViolation(uuid, 'VCPU', 7, 2, 64, 5),
    'UNIT_VIOLATION',
    [uuid, 'VCPU', '7', '2', '64', '5'],
  ],
  [new errors.CapacityExceeded(uuid, 'VCPU', 7, 8, 3), 'CAPACITY_EXCEEDED', [uuid, 'VCPU', '7', '8', '3']],
  [
    new errors.QuotaExceeded('VCPU', 8, 3, 7, 'a project', null),
    'QUOTA_EXCEEDED',
    ['a project', 'VCPU', '7', '8', '3'],
  ],
  [
    new errors.ReshapeRefused([{ rejection: new errors.NoInventory(uuid, 'VCPU'), consumer: other }]),
    'RESHAPE_REFUSED',
    [uuid, 'VCPU'],
  ],
  [new errors.ReshapeNeeded([uuid, other]), 'RESHAPE_NEEDED', ['2 consumers']],
  [
    new errors.OwnedByAnother(
      'fleet',
      { providerName: 'cn1', resourceProviderUuid: uuid, part: 'the trait CUSTOM_GOLD', otherOwner: 'rack' },
      3,
    ),
    'OWNED_BY_ANOTHER',
    ['fleet and rack', 'CUSTOM_GOLD', 'cn1', '2 more'],
  ],
  [new NoCandidates(SEARCHED, NO_PLACE), 'NO_CANDIDATES', ['3 consumers', 'at most 2', 'vm']],
  [new errors.ConcurrentUpdate(10_000, null), 'CONCURRENT_UPDATE', ['10 s', 'nothing was changed']],
];

test('the table has every rejection, in order of precedence', () => {
  // COMMITTED rejects nothing
  expect(Object.keys(REJECTIONS)).toEqual([...EXAMPLES.map(([, code]) => code), 'COMMITTED']);
});

test.each(EXAMPLES)('%s', (error, code, words) => {
  expect(codeOf(error)).toBe(code);
  if (code !== 'NO_CANDIDATES') expect(REJECTIONS[code].class).toBe(error.constructor);
  for (const word of words) expect(error.message).toContain(word);
});

test('only lost races are retryable', () => {
  const entries = Object.entries(REJECTIONS);
  const retryable = entries.filter(([, entry]) => entry.retryable).map(([code]) => code);
  expect(retryable).toEqual([
    'PROVIDER_GENERATION_CONFLICT',
    'CONSUMER_GENERATION_CONFLICT',
    'CONCURRENT_UPDATE',
  ]);
});

test('an error shows the stored name beside the given one if only the database considers them equal', () => {
  expect(new errors.DuplicateName('CN1', { uuid, name: 'cn1' }).message).toMatch(/"cn1".*"CN1"/);
});

test('an error that is no rejection has no code', () => {
  expect(codeOf(new Error('a bug'))).toBeNull();
  expect(codeOf('INVALID_INPUT')).toBeNull();
});
