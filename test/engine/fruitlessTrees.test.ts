import { expect, test } from '@jest/globals';
import { planRequest } from '../../src/search/plan.js';
import { FruitlessTrees } from '../../src/search/fruitlessTrees.js';
import { toRequest } from '../support/caseRequests.js';
import { snapshotOf } from '../support/engine.js';
import { aggregate, forest } from '../support/forest.js';

const REQUEST = {
  groups: [
    {
      suffix: '_A',
      resources: { VCPU: 1, DISK_GB: 1 },
      required: [['CUSTOM_REQUIRED']],
      forbidden: ['CUSTOM_FORBIDDEN'],
      memberOf: [[aggregate('A')]],
      forbiddenAggregates: [aggregate('B')],
    },
  ],
};

/** Returns whether a tree with this host is skipped after a tree with `VCPU:8` had no candidate. */
function isSkipped(host: string, sharing = ''): boolean {
  const trees = forest(`
    fruitless  VCPU:8
    other      ${host}
    ${sharing}
    names      VCPU:8  DISK_GB:8  +CUSTOM_REQUIRED  +CUSTOM_FORBIDDEN  @A  @B`);
  const snapshot = snapshotOf(trees);
  const plan = planRequest(snapshot, toRequest(REQUEST, trees))!;
  const fruitless = new FruitlessTrees(snapshot, plan, sharing !== '');
  fruitless.add(0);
  return fruitless.has(1);
}

test.each(['VCPU:8', 'VCPU:8  +CUSTOM_UNREAD', 'VCPU:8  @C', 'VCPU:8  MEMORY_MB:8', 'VCPU:9(used=1)'])(
  'a tree with %s is skipped like an equal one',
  (host) => expect(isSkipped(host)).toBe(true),
);

test.each([
  'VCPU:7',
  'VCPU:8(used=1)',
  'VCPU:8(min=2)',
  'VCPU:8(max=7)',
  'VCPU:8(step=2)',
  'DISK_GB:8',
  'VCPU:8  DISK_GB:8',
  'VCPU:8  +CUSTOM_REQUIRED',
  'VCPU:8  +CUSTOM_FORBIDDEN',
  'VCPU:8  @A',
  'VCPU:8  @B',
])('a tree with %s is searched', (host) => expect(isSkipped(host)).toBe(false));

test('a tree with another number of providers is searched', () =>
  expect(isSkipped('VCPU:8\n      child  VCPU:8')).toBe(false));

test('a tree is searched if it is linked with a sharing provider, unlike the other tree', () => {
  expect(isSkipped('VCPU:8  @C', 'shared  DISK_GB:8  @C  sharing')).toBe(false);
  expect(isSkipped('VCPU:8  @C', 'shared  DISK_GB:8  @D  sharing')).toBe(true);
});
