import { describe, expect, test } from '@jest/globals';
import { allocationsOf } from '../../src/search/anchor.js';
import { planRequest } from '../../src/search/plan.js';
import { validateRequest, namesKnownIn } from '../../src/search/candidateSearch.js';
import type { CandidatesRequest } from '../../src/model/request.js';
import { treeIndexOf, type Snapshot } from '../../src/fleet/snapshot.js';
import { searchFor } from '../../src/search/candidateSearch.js';
import { requestsByShape, type ShapeOptions } from '../../src/moves/consumerShape.js';
import { snapshotOf } from '../support/engine.js';
import { forest, uuidOf } from '../support/forest.js';

type Held = Record<string, Record<string, number>>;

/** By derived request, the candidates outside the trees to leave: the amounts by provider. */
function candidates(
  picture: string,
  held: Held,
  leaves: string[],
  keeps: Partial<ShapeOptions> = {},
): Held[][] {
  const snapshot = snapshotOf(forest(picture));
  const left = leaves.map((name) => treeIndexOf(snapshot.locate(uuidOf('provider', name))!));
  const allocations = Object.entries(held).map(([name, amounts]) => ({
    resourceProvider: uuidOf('provider', name),
    resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
  const options = { keepsTraits: false, keepsAggregates: false, excludedRootTraits: [], ...keeps };
  const requests = requestsByShape(snapshot, allocations, {
    ...options,
    leaves: (tree) => left.includes(tree),
  });
  const notInTrees = leaves.map((name) => uuidOf('provider', name));
  return requests.map((request) => found(snapshot, { ...request, notInTrees }));
}

function found(snapshot: Snapshot, request: CandidatesRequest): Held[] {
  validateRequest(request, namesKnownIn(snapshot));
  const plan = planRequest(snapshot, request)!;
  const search = searchFor(snapshot, plan, { limit: Infinity, seed: 1 });
  search.run();
  const all = search.candidates.map((candidate): Held =>
    Object.fromEntries(
      allocationsOf(plan, candidate)
        .map(({ provider: { block, row }, resources }): [string, Record<string, number>] => [
          block.names[row],
          Object.fromEntries(
            resources.map(({ resourceClass, amount }) => [snapshot.classes.nameOf(resourceClass), amount]),
          ),
        ])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

// test/placement/drainProperty.test.ts has NUMA nodes and disks
describe('the derived requests', () => {
  test('keep a virtual function at its NUMA node, and that below a network card', () => {
    const picture = `
      old
        old0    VCPU:8
          card0 VGPU:1
            pf0 SRIOV_NET_VF:4
      apart
        apart0  VCPU:8
          card1 VGPU:1
        apart1
          pf1   SRIOV_NET_VF:4
      half
        half0   VCPU:8
          card2 VGPU:1
          pf2   SRIOV_NET_VF:4
      good
        good0   VCPU:8
          card3 VGPU:1
            pf3 SRIOV_NET_VF:4
    `;
    const held = { old0: { VCPU: 2 }, card0: { VGPU: 1 }, pf0: { SRIOV_NET_VF: 1 } };
    const moved = { card3: { VGPU: 1 }, good0: { VCPU: 2 }, pf3: { SRIOV_NET_VF: 1 } };
    expect(candidates(picture, held, ['old'])).toEqual([[moved]]);
  });

  test('keep providers below one NUMA node that serves nothing itself', () => {
    const picture = `
      old
        old0    +HW_NUMA_ROOT +CUSTOM_BLUE
          cpu0  VCPU:8
          mem0  MEMORY_MB:8
      apart
        apart0  +HW_NUMA_ROOT
          cpu1  VCPU:8
        apart1  +HW_NUMA_ROOT
          mem1  MEMORY_MB:8
      good
        good0   +HW_NUMA_ROOT
          cpu2  VCPU:8
          mem2  MEMORY_MB:8
    `;
    const held = { cpu0: { VCPU: 2 }, mem0: { MEMORY_MB: 3 } };
    expect(candidates(picture, held, ['old'])).toEqual([[{ cpu2: { VCPU: 2 }, mem2: { MEMORY_MB: 3 } }]]);
  });

  test('do not tie providers whose only common ancestor is the root', () => {
    const picture = `
      old
        old0 VCPU:8
        pf0  SRIOV_NET_VF:4
      new    VCPU:8
        pf1  SRIOV_NET_VF:4
    `;
    const held = { old0: { VCPU: 2 }, pf0: { SRIOV_NET_VF: 1 } };
    expect(candidates(picture, held, ['old'])).toEqual([[{ new: { VCPU: 2 }, pf1: { SRIOV_NET_VF: 1 } }]]);
  });

  test('move a local disk to shared storage only in the last request', () => {
    const picture = `
      old     VCPU:8 MEMORY_MB:8 DISK_GB:8 @A
      small   VCPU:8 MEMORY_MB:8 DISK_GB:1 @A
      store   DISK_GB:100 @A sharing
    `;
    const held = { old: { VCPU: 2, MEMORY_MB: 2, DISK_GB: 4 } };
    expect(candidates(picture, held, ['old'])).toEqual([
      [],
      [{ small: { VCPU: 2, MEMORY_MB: 2 }, store: { DISK_GB: 4 } }],
    ]);
  });

  test('leave a shared disk where it is, then move it to other shared storage, then anywhere', () => {
    const picture = `
      old     VCPU:8 @A
      near    VCPU:8 DISK_GB:100 @A
      far     VCPU:8 @B
      store   DISK_GB:100 @A sharing
      other   DISK_GB:100 @A @B sharing
    `;
    const here = { VCPU: 2 };
    const disk = { DISK_GB: 4 };
    const stays = { near: here, store: disk };
    const shared = [{ far: here, other: disk }, { near: here, other: disk }, stays];
    expect(candidates(picture, { old: here, store: disk }, ['old'])).toEqual([
      [stays],
      shared,
      [shared[0], { near: { VCPU: 2, DISK_GB: 4 } }, ...shared.slice(1)],
    ]);
  });

  test('leave a consumer in its tree if only its storage is to be left, even in maintenance', () => {
    const picture = `
      host   VCPU:8 @A +COMPUTE_STATUS_DISABLED
      other  VCPU:8 @A
      store  DISK_GB:100 @A sharing
      spare  DISK_GB:100 @A sharing
    `;
    const [stays, moves] = candidates(picture, { host: { VCPU: 2 }, store: { DISK_GB: 4 } }, ['store']);
    expect(stays).toEqual([{ host: { VCPU: 2 }, spare: { DISK_GB: 4 } }]);
    expect(moves).toEqual([{ other: { VCPU: 2 }, spare: { DISK_GB: 4 } }]);
  });

  test('require common traits and aggregates only on request, and never the state of a host', () => {
    const picture = `
      old    VCPU:8 MEMORY_MB:8 @A +CUSTOM_FAST +COMPUTE_STATUS_DISABLED
        pf0  SRIOV_NET_VF:4 +CUSTOM_FAST +CUSTOM_PF
      slow   VCPU:8 @A
        pf1  SRIOV_NET_VF:4 +CUSTOM_FAST
      fast   VCPU:8 @B +CUSTOM_FAST
        pf2  SRIOV_NET_VF:4 +CUSTOM_FAST
      off    VCPU:8 @A +CUSTOM_FAST +COMPUTE_STATUS_DISABLED
        pf3  SRIOV_NET_VF:4 +CUSTOM_FAST
    `;
    const both = { old: { VCPU: 2 }, pf0: { SRIOV_NET_VF: 1 } };
    const hosts = (held: Held, keeps: Partial<ShapeOptions>) =>
      candidates(picture, held, ['old'], keeps)[0].map((found) => Object.keys(found)[0]);
    expect(hosts(both, {})).toEqual(['fast', 'pf1']);
    expect(hosts(both, { keepsTraits: true })).toEqual(['fast']);
    expect(hosts({ old: { VCPU: 2 } }, { keepsAggregates: true })).toEqual(['slow']);
    expect(hosts({ old: { VCPU: 2 } }, { keepsAggregates: true, keepsTraits: true })).toEqual([]);
  });
});
