import { describe, expect, test } from '@jest/globals';
import { planRequest } from '../../src/search/plan.js';
import { candidateLines } from '../support/answers.js';
import { query, toRequest, type CaseRequest } from '../support/caseRequests.js';
import {
  engineAnswer,
  engineExplanation,
  engineHeadroom,
  enginePacking,
  snapshotOf,
} from '../support/engine.js';
import { forest } from '../support/forest.js';

/** Three hosts and storage that all share; `one` is on host1, `two` on host2 and on the storage, `three` on the storage alone. */
const fleet = forest(`
  host1       @rack
    numa1     VCPU:8
  host2       @rack
    numa2     VCPU:8
  host3 VCPU:8 @rack
  storage     DISK_GB:100 @rack sharing
`);
for (const [consumer, provider, resourceClass] of [
  ['one', 'numa1', 'VCPU'],
  ['two', 'numa2', 'VCPU'],
  ['two', 'storage', 'DISK_GB'],
  ['three', 'storage', 'DISK_GB'],
])
  fleet.allocations.push({ consumer, provider, resourceClass, used: 1 });

const vcpu = query('resources=VCPU:4');
const disk = query('resources=VCPU:4,DISK_GB:10');

const found = (request: CaseRequest): string[] =>
  engineAnswer(fleet, request).candidates.map((candidate) =>
    candidateLines({ candidates: [candidate], summaries: {} }, fleet)
      .join()
      .replaceAll(/ VCPU:4| DISK_GB:10/g, ''),
  );

describe('notInTrees', () => {
  test('any provider names its tree, and an unknown one has no effect', () => {
    expect(found({ ...vcpu, notInTrees: ['numa1', 'nobody'] }).sort()).toEqual(['host3', 'numa2']);
    expect(found({ ...vcpu, notInTrees: ['host1', 'numa1'] })).toHaveLength(2);
  });

  test('no provider of the tree shares either', () => {
    expect(found(disk)).toHaveLength(3);
    expect(found({ ...disk, notInTrees: ['storage'] })).toEqual([]);
  });

  test('inTree of a tree that is left out finds nothing', () => {
    expect(found({ ...query('resources=VCPU:4&in_tree=host1'), notInTrees: ['host1'] })).toEqual([]);
  });
});

describe('consumers to be away from, and near', () => {
  test('allocations on sharing providers do not count', () => {
    expect(found({ ...disk, awayFromConsumers: ['two', 'three'] }).sort()).toEqual([
      'host3 + storage',
      'numa1 + storage',
    ]);
    expect(found({ ...disk, nearConsumers: ['one', 'three'] })).toEqual(['numa1 + storage']);
    expect(found({ ...disk, nearConsumers: ['three'] })).toEqual([]);
  });

  test('a consumer without allocations: awayFromConsumers has no effect, nearConsumers excludes all trees', () => {
    expect(found({ ...vcpu, awayFromConsumers: ['nobody'] })).toHaveLength(3);
    expect(found({ ...vcpu, nearConsumers: ['nobody'] })).toEqual([]);
    expect(found({ ...vcpu, nearConsumers: ['nobody', 'two'] })).toEqual(['numa2']);
  });

  test('both hold', () => {
    expect(found({ ...vcpu, nearConsumers: ['one', 'two'], awayFromConsumers: ['one'] })).toEqual(['numa2']);
  });

  test('with a group that is tied to a tree', () => {
    const tied = query('resources_A=VCPU:4&in_tree_A=host2');
    expect(found({ ...tied, nearConsumers: ['two'] })).toEqual(['numa2']);
    expect(found({ ...tied, nearConsumers: ['one'] })).toEqual([]);
  });

  test('in order, in headroom and for several consumers', () => {
    const ordered = query('resources=VCPU:4&order_by=VCPU:spread');
    expect(found({ ...ordered, awayFromConsumers: ['one'] })).toEqual(['host3', 'numa2']);
    expect(found({ ...ordered, nearConsumers: ['one'] })).toEqual(['numa1']);
    expect(engineHeadroom(fleet, query('resources=VCPU:4'), 9)).toMatchObject({ count: 4, trees: 3 });
    expect(engineHeadroom(fleet, { ...vcpu, nearConsumers: ['one', 'two'] }, 9)).toMatchObject({
      count: 2,
      trees: 2,
      exact: true,
    });
    const options = { count: 2, placement: 'DISTINCT_TREES', seed: 3 } as const;
    expect(enginePacking(fleet, { ...vcpu, nearConsumers: ['one', 'two'] }, options)).toHaveLength(2);
    expect(enginePacking(fleet, { ...vcpu, nearConsumers: ['one'] }, options)).toBeNull();
  });

  test('a search whose holdings were not read fails', () => {
    const request = { ...toRequest({ ...vcpu, awayFromConsumers: ['one'] }, fleet), holdings: undefined };
    expect(() => planRequest(snapshotOf(fleet), request)).toThrow('consumer one');
  });
});

describe('the explanation names them', () => {
  const stages = (request: CaseRequest): string[] =>
    engineExplanation(fleet, request).combination.map(
      ({ constraint, eliminated, remaining, detail }) =>
        `${constraint} -${eliminated} =${remaining}: ${detail}`,
    );

  test('with their counts, in their order', () => {
    const request = {
      ...vcpu,
      notInTrees: ['numa1', 'storage'],
      awayFromConsumers: ['one'],
      nearConsumers: ['two', 'three'],
    };
    expect(stages(request)).toEqual([
      'NOT_IN_TREES -2 =2: 2 of 4 trees are outside of the trees of numa1 and storage',
      'AWAY_FROM_CONSUMERS -0 =2: 2 of 2 trees are away from consumers one',
      'NEAR_CONSUMERS -1 =1: 1 of 2 trees are near consumers two or three',
      'TREE_LACKS_GROUP -0 =1: 1 of 1 trees can serve the group',
    ]);
    expect(engineExplanation(fleet, request).groups[0].eliminations[0]).toMatchObject({
      constraint: 'NOT_IN_TREES',
      eliminated: 2,
      remaining: 2,
    });
  });

  test('the explanation names consumers without allocations', () => {
    expect(stages({ ...vcpu, nearConsumers: ['nobody'] })).toEqual([
      'NEAR_CONSUMERS -4 =0: 0 of 4 trees are near consumers nobody: they have no allocations',
    ]);
  });
});
