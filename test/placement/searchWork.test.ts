import { expect, test } from '@jest/globals';
import { Effort } from '../../src/model/operation/waiting.js';
import { allocationsIn, findClaimCandidates } from '../../src/moves/heldConsumers.js';
import { DrainRelations, type Leaving } from '../../src/moves/drain/drainRelations.js';
import { DrainAttempt } from '../../src/moves/drain/drainAttempt.js';
import type { SnapshotSource } from '../../src/search/candidateSearch.js';
import { countHeadroom } from '../../src/moves/headroom/currentHeadroom.js';
import { placeLeaving } from '../../src/moves/drain/drainPlacement.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { Operations } from '../../src/model/operation/operation.js';
import { query, toRequest } from '../support/caseRequests.js';
import { fleet as demoFleet, zonesOf, type Rack } from '../../src/tools/demo/fleet.js';
import { rebalance } from '../../src/moves/rebalance/rebalance.js';
import { planWorkload } from '../../src/moves/workload/workload.js';
import { WorkloadSearch } from '../../src/moves/workload/workloadSearch.js';
import { consumersIn, type FleetRows } from '../../src/moves/rebalance/fleetConsumers.js';
import { RequestsOfConsumers } from '../../src/moves/rebalance/requestsOfConsumers.js';
import { treesWith } from '../../src/search/trees.js';
import type { FleetSnapshot } from '../../src/fleet/fleetSnapshot.js';
import { fleetSnapshot } from '../support/fleetSnapshot.js';
import { group } from '../../bench/requests.js';
import { requestOf } from '../../src/model/request.js';
import { snapshotOf } from '../support/engine.js';
import { forest } from '../support/forest.js';

const HOSTS = 1_000;
const fleet = forest(Array.from({ length: HOSTS }, (_, at) => `CN${at} VCPU:1 +HW_A`).join('\n'));
const snapshot = snapshotOf(fleet);

test('a claim counts the work to pack its consumers', async () => {
  const operation = new Operations().begin();
  const request = toRequest(query('resources=VCPU:1'), fleet);
  const options = { count: 2, policy: 'SAME_TREE', seed: 1, operation } as const;
  expect(await findClaimCandidates(snapshot, request, options)).toBeNull();
  expect(operation.activity.effort).toBeGreaterThan(HOSTS);
});

test('a drain pauses while it counts the trees of a request', () => {
  const effort = new Effort();
  const drained = { snapshot, trees: new Set([0]), holdings: new Map(), others: [] };
  const requests = [toRequest(query('resources=VCPU:1&root_required=!HW_A'), fleet)];
  const consumer = { uuid: 'consumer', allocations: [] } as unknown as Leaving['consumer'];
  const leaving = [{ consumer, from: [], requested: null, source: 'DERIVED' as const, requests, seed: 1 }];
  const drain = new DrainAttempt(
    drained,
    new DrainRelations(leaving, snapshot, drained.holdings, []),
    effort,
  );
  const counting = drain.countTrees(leaving);
  for (let isDone: boolean | undefined = false; !isDone;) {
    const before = effort.spent;
    effort.allow(100);
    isDone = counting.next().done;
    expect(effort.spent - before).toBeLessThanOrEqual(101);
  }
  expect(effort.treesTested).toBe(HOSTS);
});

/** Returns the snapshot, and counts the reads of one of its columns. */
function countingReads(original: Snapshot): { readonly snapshot: Snapshot; readonly reads: () => number } {
  let reads = 0;
  const counted = (column: Int32Array): Int32Array =>
    new Proxy(column, {
      get: (target, key) => {
        reads++;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  const blocks = original.blocks.map((block) => ({
    ...block,
    inventoryStarts: counted(block.inventoryStarts),
  }));
  return { snapshot: Object.create(original, { blocks: { value: blocks } }) as Snapshot, reads: () => reads };
}

test('a drain of consumers that fit nowhere reads a wide tree a few times', () => {
  const children = 5_000;
  const lines = Array.from({ length: children }, (_, at) => `  child${at} VCPU:4 MEMORY_MB:4`);
  const wide = forest(['root', ...lines, 'other VCPU:4'].join('\n'));
  const { snapshot: counted, reads } = countingReads(snapshotOf(wide));
  const drained = { snapshot: counted, trees: new Set([0]), holdings: new Map(), others: [] };
  const leaving = Array.from({ length: 5 }, (_, at): Leaving => {
    const { uuid: resourceProvider } = wide.providers[1 + at];
    const resources = [{ resourceClass: 'VCPU', amount: 2 }];
    const consumer = { uuid: `consumer${at}`, allocations: [{ resourceProvider, resources }] };
    return {
      consumer: consumer as unknown as Leaving['consumer'],
      from: allocationsIn(counted, consumer.allocations),
      requested: null,
      source: 'DERIVED' as const,
      requests: [toRequest(query('resources=VCPU:2,MEMORY_MB:1'), wide)],
      seed: at,
    };
  });
  const effort = new Effort();
  const placing = placeLeaving(drained, leaving, effort).next();
  expect(placing.done && placing.value.map(({ found }) => found)).toEqual(leaving.map(() => null));
  expect(reads()).toBeLessThan(50 * children);
});

test('headroom that takes too long is a lower bound', async () => {
  const children = Array.from({ length: 5_000 }, (_, at) => `  child${at} VCPU:4`);
  const wide = forest(['root', ...children].join('\n'));
  const source = { current: () => Promise.resolve(snapshotOf(wide)) } as unknown as SnapshotSource;
  // an amount over several children is searched for anew for each claim
  const resources = { VCPU: 10 };
  const request = toRequest({ groups: [{ suffix: '', resources, canSplit: ['VCPU'] }] }, wide);
  const counted = await countHeadroom(source, request, 100_000, new Operations().begin());
  expect(counted).toMatchObject({ reachedUpTo: false, exact: false });
  expect(counted.count).toBeGreaterThan(0);
});

/** Returns the rows of the consumers of a rack as the database has them. */
function rowsOf({ consumers }: Rack, { classes }: FleetSnapshot): FleetRows {
  const rows = consumers.flatMap(({ allocations }, at) => allocations.map((one) => ({ ...one, at })));
  return {
    consumers: consumers.map(({ uuid }) => ({
      uuid,
      generation: 1,
      typeId: null,
      requestId: null,
      isKept: false,
    })),
    requests: new Map(),
    inWorkloads: [],
    withSeveralRows: new Set(),
    consumerOf: Int32Array.from(rows, ({ at }) => at),
    providerIds: Int32Array.from(rows, ({ providerId }) => providerId),
    classIds: Int32Array.from(rows, ({ resourceClass }) => classes.idOf(resourceClass)!),
    amounts: Float64Array.from(rows, ({ used }) => used),
  };
}

const [small, large] = [200, 2_000].map((hosts) => fleetSnapshot(hosts).snapshot);

/** Returns the work of a plan for the first rack of the demo data. */
function workOfRack(snapshot: FleetSnapshot): number {
  const goal = 'FREE_HOSTS' as const;
  const [rack] = demoFleet({ hosts: 50 });
  const [aggregate] = rack.providers[0].aggregates;
  const effort = new Effort();
  const finish = <T>(steps: Generator<void, T>): T => {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
  const consumers = finish(consumersIn(snapshot, rowsOf(rack, snapshot), undefined, effort));
  const limits = {
    goal,
    maxMoves: 20,
    minGain: 0,
    aggregate,
    resourceClasses: null,
    keep: [],
    keepTypes: [],
  };
  const wishes = { ...limits, requests: [], keepsTraits: false, excludedRootTraits: [] };
  const requests = new RequestsOfConsumers(snapshot, wishes, consumers, new Map(), new Map());
  const problem = {
    ...{ snapshot, goal, maxMoves: 20, classes: null, isOver: () => false },
    hosts: treesWith(snapshot, snapshot.aggregates.idOf(aggregate)!).map(({ treeIndex }) => treeIndex),
    consumers: finish(requests.rebalanced(effort)),
    requestOf: (at: number) => requests.requestOf(at),
    restRequestOf: (at: number) => requests.derivedFor(at),
  };
  expect(finish(rebalance(problem, effort)).moves.length).toBeGreaterThan(0);
  return effort.spent;
}

test('the work of a plan for one rack does not grow with the fleet', () => {
  expect(workOfRack(large)).toBeLessThan(1.2 * workOfRack(small));
});

test.each(['SPREAD', 'PACK', 'SAME'] as const)(
  'the work of 100 consumers in zones grows less than the fleet, %s',
  (rule) => {
    const workOf = (snapshot: FleetSnapshot): number => {
      const aggregates = zonesOf(200).map(({ aggregate }) => aggregate);
      const requests = [requestOf([group('', { VCPU: 1, MEMORY_MB: 1024 })])];
      const members = [{ name: 'a', count: 100, requests, placement: 'ANY' as const }];
      const level = { kind: 'AGGREGATES', aggregates } as const;
      const topology = [{ level, members: ['a'], rule, maxSkew: 1, allowOutside: false }];
      const search = new WorkloadSearch(snapshot, planWorkload(snapshot, { members, topology }), { seed: 1 });
      search.run();
      expect(search.answer.kind).toBe('FOUND');
      return search.effort.spent;
    };
    expect(workOf(large)).toBeLessThan(2 * workOf(small));
  },
);
