import { allocationsOf, mappingsOf, providersOfTrees, summarizedTrees } from '../../src/search/anchor.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { explain, type CandidateExplanation } from '../../src/search/explanation/explanation.js';
import { HeadroomCount, treesWithHeadroom, type Headroom } from '../../src/moves/headroom/headroom.js';
import { Placer, type PlacerOptions } from '../../src/moves/placer.js';
import { planRequest } from '../../src/search/plan.js';
import { TreeFilter } from '../../src/search/treeFilter.js';
import { searchFor } from '../../src/search/candidateSearch.js';
import {
  type ProviderRef,
  type Snapshot,
  NOT_RECORDED,
  rootRow,
  treeIndexOf,
  treeOf,
  type ProviderData,
} from '../../src/fleet/snapshot.js';
import { columnsOf } from '../../src/fleet/providerColumns.js';
import { allowedUsageOf, capacityOf } from '../../src/model/input.js';
import { FleetSnapshot, type SnapshotNames } from '../../src/fleet/fleetSnapshot.js';
import { allocationsIn } from '../../src/moves/heldConsumers.js';
import { separateRelations } from '../../src/moves/claim/workloadPlacement.js';
import { TopologySearch } from '../../src/moves/workload/topologyAlternatives.js';
import type { WorkloadAnswer, WorkloadOptions } from '../../src/moves/workload/workloadSearch.js';
import type { CaseWorkload } from '../oracle/workload.js';
import type { Answer, Candidate, Summary } from './answers.js';
import { toRequest, type CaseRequest } from './caseRequests.js';
import { Numbering, usageBy } from './fleetSnapshot.js';
import type { Forest } from './forest.js';

export interface EngineOptions {
  limit?: number;
  seed?: number;
  /** The work per run of the search, which pauses between runs. */
  budget?: number;
  /** The names of the roots of trees that must not be anchors. */
  excluded?: readonly string[];
  /** The snapshot of the forest, if several searches share one. */
  snapshot?: FleetSnapshot;
}

/**
 * Returns the answer of the engine to a valid request in a snapshot of a forest, in the shape of
 * the oracle's answers.
 */
export function engineAnswer(
  forest: Forest,
  request: CaseRequest,
  options: EngineOptions = {},
): Answer & { complete: boolean; effort: Effort } {
  const snapshot = options.snapshot ?? snapshotOf(forest);
  const plan = planRequest(snapshot, toRequest(request, forest));
  if (plan === null) return { candidates: [], summaries: {}, complete: true, effort: new Effort() };
  const search = searchFor(snapshot, plan, {
    limit: options.limit ?? Infinity,
    seed: options.seed ?? 1,
    filter: new TreeFilter(
      snapshot,
      plan,
      new Set(options.excluded?.map((name) => treeIndexOfRoot(forest, name, snapshot))),
    ),
  });
  while (!search.run(options.budget));
  return {
    candidates: search.candidates.map((candidate) => candidateOf(snapshot, plan, candidate)),
    summaries: Object.fromEntries(
      Array.from(providersOfTrees(summarizedTrees(snapshot, plan, search.candidates)), (provider) => [
        provider.block.uuids[provider.row],
        summaryOf(snapshot, provider),
      ]),
    ),
    complete: search.complete,
    effort: search.effort,
  };
}

function treeIndexOfRoot({ providers }: Forest, root: string, snapshot: Snapshot): number {
  return treeIndexOf(snapshot.locate(providers.find(({ name }) => name === root)!.uuid)!);
}

/** Returns the engine's explanation of a missing candidate. A budget divides the work. */
export function engineExplanation(
  forest: Forest,
  request: CaseRequest,
  budget = Infinity,
  snapshot = snapshotOf(forest),
): CandidateExplanation {
  return finished((effort) => explain(snapshot, toRequest(request, forest), effort), budget);
}

/** Returns the number of further consumers that fit according to the engine. */
export function engineHeadroom(
  forest: Forest,
  request: CaseRequest,
  upTo: number,
  budget = Infinity,
  snapshot = snapshotOf(forest),
  wideTree?: number,
): Headroom & { trees: number } {
  const plan = planRequest(snapshot, toRequest(request, forest));
  if (plan === null) return { count: 0, reachedUpTo: false, exact: true, trees: 0 };
  return {
    ...finished((effort) => new HeadroomCount(snapshot, plan, upTo, wideTree).run(effort), budget),
    trees: finished((effort) => treesWithHeadroom(snapshot, plan, effort), budget),
  };
}

/** Runs work that pauses. Each step gets `budget`. */
export function finished<T>(begin: (effort: Effort) => Generator<void, T>, budget: number): T {
  const effort = new Effort();
  const work = begin(effort);
  for (;;) {
    effort.allow(budget);
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Returns the engine's placement of several consumers of a valid request in a forest, in the order in which
 * they were placed. Returns null if the engine found no way.
 */
export function enginePacking(
  forest: Forest,
  request: CaseRequest,
  { budget = Infinity, ...options }: PlacerOptions & { budget?: number },
): Candidate[] | null {
  const snapshot = snapshotOf(forest);
  const plan = planRequest(snapshot, toRequest(request, forest));
  if (plan === null) return null;
  const packed = finished((effort) => new Placer(snapshot, plan, options, effort).packed(), budget);
  return packed?.map((candidate) => candidateOf(snapshot, plan, candidate)) ?? null;
}

/** Converts a candidate to the shape of the oracle's answers. */
export function candidateOf(
  snapshot: Snapshot,
  plan: Parameters<typeof allocationsOf>[0],
  candidate: Parameters<typeof allocationsOf>[1],
): Candidate {
  const uuid = ({ block, row }: ProviderRef): string => block.uuids[row];
  return {
    allocations: Object.fromEntries(
      allocationsOf(plan, candidate).map(({ provider, resources }) => [
        uuid(provider),
        Object.fromEntries(
          resources.map(({ resourceClass, amount }) => [snapshot.classes.nameOf(resourceClass), amount]),
        ),
      ]),
    ),
    mappings: Object.fromEntries(
      mappingsOf(plan, candidate).map(({ suffix, providers }) => [suffix, providers.map(uuid).sort()]),
    ),
  };
}

function summaryOf(snapshot: Snapshot, { block, row }: ProviderRef): Summary {
  const resources: Summary['resources'] = {};
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    resources[snapshot.classes.nameOf(block.classes[at])] = {
      capacity: block.capacities[at],
      used: block.used[at],
    };
  }
  const traits = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
  const parent = block.parents[row];
  return {
    resources,
    traits: Array.from(traits, (trait) => snapshot.traits.nameOf(trait)).sort(),
    parent: parent < 0 ? null : block.uuids[parent],
    root: block.uuids[rootRow(block, row)],
  };
}

/** Returns the snapshot that a load of this forest from the database would give. */
export function snapshotOf(forest: Forest): FleetSnapshot {
  const { data, names } = dataOf(forest);
  return FleetSnapshot.of(columnsOf(data), names);
}

function dataOf({ providers, allocations }: Forest): { data: ProviderData[]; names: SnapshotNames } {
  const idOf = new Map(providers.map(({ name }, position) => [name, position + 1]));
  const idOfUuid = new Map(providers.map(({ uuid }, position) => [uuid, position + 1]));
  const parentOf = new Map(providers.map(({ name, parent }) => [name, parent]));
  const [classes, traits, aggregates] = [new Numbering(), new Numbering(), new Numbering()];
  const used = usageBy(allocations);
  const rootOf = (name: string): string => {
    const parent = parentOf.get(name) ?? null;
    return parent === null ? name : rootOf(parent);
  };
  const data = providers.map(({ name, uuid, parent, ...provider }) => ({
    id: idOf.get(name)!,
    uuid,
    name,
    generation: 0,
    parentId: parent === null ? null : idOf.get(parent)!,
    rootId: idOf.get(rootOf(name))!,
    createdAt: idOf.get(name)!,
    updatedAt: NOT_RECORDED,
    inventories: Object.entries(provider.inventories).map(([resourceClass, inventory]) => ({
      classId: classes.of(resourceClass),
      capacity: capacityOf(inventory.total, inventory.reserved, inventory.allocation_ratio),
      allowed: allowedUsageOf(inventory.total, inventory.reserved, inventory.allocation_ratio),
      used: used.get(`${name} ${resourceClass}`) ?? 0,
      minUnit: inventory.min_unit,
      maxUnit: inventory.max_unit,
      stepSize: inventory.step_size,
    })),
    consumption: Object.entries(provider.consumes ?? {}).flatMap(([resourceClass, counters]) =>
      counters.map((counter) => ({
        classId: classes.of(resourceClass),
        counterProviderId: idOfUuid.get(counter.provider)!,
        counterClassId: classes.of(counter.resourceClass),
        amount: counter.amount,
      })),
    ),
    traits: provider.traits.map((trait) => traits.of(trait)),
    aggregates: provider.aggregates.map((aggregate) => aggregates.of(aggregate)),
  }));
  const names = { classes: classes.table(), traits: traits.table(), aggregates: aggregates.table() };
  return { data, names };
}

function allocationsOn(snapshot: Snapshot, allocations: Candidate['allocations']) {
  const inputs = Object.entries(allocations).map(([resourceProvider, amounts]) => ({
    resourceProvider,
    resources: Object.entries(amounts).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
  return allocationsIn(snapshot, inputs);
}

export interface EngineWorkload {
  readonly answer: WorkloadAnswer;
  /** The placed consumers, member by member. */
  readonly placed: { member: number; alternative: number; anchor: string; candidate: Candidate }[];
  /** The work of all searches. */
  readonly spent: number;
  /** The position of the alternative of the topology. */
  readonly topologyAlternative: number;
}

/** Returns the engine's placement of a workload of valid requests in a snapshot of a forest. */
export function engineWorkload(
  forest: Forest,
  { members, topology, topologyAlternatives }: CaseWorkload,
  { budget, ...options }: WorkloadOptions & { budget?: number },
): EngineWorkload {
  const snapshot = snapshotOf(forest);
  const requests = members.map((member) => ({
    ...member,
    requests: member.requests.map((request) => toRequest(request, forest)),
  }));
  const uuids = members.map(({ consumers = [] }) => consumers);
  const present = members.flatMap(({ count, present: own = Array<null>(count).fill(null) }) =>
    own.map((allocations) => allocations && allocationsOn(snapshot, allocations)),
  );
  const isPresent = present.some((one) => one !== null);
  const separated = separateRelations({ members: requests, topology, topologyAlternatives }, uuids);
  const stated = isPresent ? { ...separated, present } : separated;
  const search = new TopologySearch(snapshot, stated, options);
  while (!search.run(budget));
  const { spent, result } = search;
  const { answer, planned: workload, alternative: topologyAlternative } = result;
  const found = answer.kind === 'FOUND' ? answer.members : [];
  const placed = found.flatMap(({ alternative, candidates }, member) =>
    candidates.map((candidate) => {
      const { block, start } = treeOf(snapshot, candidate.treeIndex);
      const plan = workload.members[member].plans[alternative]!;
      const anchor = block.names[start];
      return { member, alternative, anchor, candidate: candidateOf(snapshot, plan, candidate) };
    }),
  );
  return { answer, placed, spent, topologyAlternative };
}
