import { allocationsOf, type CandidateAllocation } from '../../src/search/anchor.js';
import { Effort } from '../../src/model/operation/waiting.js';
import { planRequest } from '../../src/search/plan.js';
import { mix, permutation } from '../../src/model/collections.js';
import { type CandidatesRequest, requestOf } from '../../src/model/request.js';
import type { Snapshot } from '../../src/fleet/snapshot.js';
import { withAllocated, withReleased } from '../../src/search/overlay/snapshotOverlay.js';
import { Placer } from '../../src/moves/placer.js';
import { planWorkload, type Workload, type WorkloadMember } from '../../src/moves/workload/workload.js';
import { WorkloadSearch } from '../../src/moves/workload/workloadSearch.js';
import { times } from '../hard/cases.js';
import { snapshotOfTrees, type Tree } from '../hard/fleet.js';
import { group } from '../requests.js';
import { aggregateUuid } from './cases.js';

const RACKS = 20;
const HOSTS_PER_RACK = 10;
const DEVICES = 8;
const DEVICE_SHARE = 1000;
const CAPACITY = RACKS * HOSTS_PER_RACK * DEVICES * DEVICE_SHARE;
/** Arrivals that would raise the usage of devices above this share are not offered. */
const MOST_USED = 0.85;
const ARRIVALS = 400;

/**
 * Kinds of tasks, with weights: processors, memory (MiB), devices and thousandths of each. Rounded from the first tasks of
 * Alibaba's cluster-trace-gpu-v2023 (openb_pod_list_default.csv). The trace has no gangs, so their sizes are made up.
 */
const KINDS: readonly { weight: number; cpu: number; memory: number; devices: number; share: number }[] = [
  { weight: 34, cpu: 3, memory: 5_600, devices: 1, share: 1000 },
  { weight: 12, cpu: 16, memory: 32_768, devices: 1, share: 1000 },
  { weight: 10, cpu: 12, memory: 24_576, devices: 1, share: 1000 },
  { weight: 8, cpu: 18, memory: 64_512, devices: 1, share: 1000 },
  { weight: 12, cpu: 8, memory: 30_517, devices: 1, share: 470 },
  { weight: 8, cpu: 4, memory: 15_258, devices: 1, share: 320 },
  { weight: 6, cpu: 4, memory: 15_258, devices: 1, share: 220 },
  { weight: 6, cpu: 8, memory: 30_517, devices: 0, share: 0 },
  { weight: 4, cpu: 88, memory: 327_680, devices: 8, share: 1000 },
];

export interface StreamResult {
  readonly offered: number;
  readonly admitted: number;
  /** The mean share of the free device amount that lies in partly used devices. */
  readonly fragmentation: number;
  readonly seconds: number;
}

/** Places the workloads of a seed as they arrive, and releases them when they end. */
export function stream(seed: number, place: typeof placeWhole): StreamResult {
  let snapshot = snapshotOfTrees(fleet());
  const running: { end: number; allocations: readonly CandidateAllocation[]; used: number }[] = [];
  let [offered, admitted, used, fragments] = [0, 0, 0, 0];
  const before = process.cpuUsage();
  for (let at = 0; at < ARRIVALS; at++) {
    for (const ended of running.filter(({ end }) => end <= at)) {
      snapshot = withReleased(snapshot, ended.allocations);
      used -= ended.used;
      running.splice(running.indexOf(ended), 1);
    }
    const { workload, duration, amount } = arrival(seed, at);
    if (used + amount > MOST_USED * CAPACITY) continue;
    offered++;
    const allocations = place(snapshot, workload, mix(seed, at));
    fragments += fragmentation(snapshot);
    if (allocations === null) continue;
    admitted++;
    snapshot = withAllocated(snapshot, allocations);
    used += amount;
    running.push({ end: at + duration, allocations, used: amount });
  }
  const { user, system } = process.cpuUsage(before);
  return { offered, admitted, fragmentation: fragments / offered, seconds: (user + system) / 1e6 };
}

/** Places all members together. */
export function placeWhole(
  snapshot: Snapshot,
  workload: Workload,
  seed: number,
): CandidateAllocation[] | null {
  const planned = planWorkload(snapshot, workload);
  const search = new WorkloadSearch(snapshot, planned, { seed, workPerGoal: 500_000 });
  search.run();
  const { answer } = search;
  if (answer.kind !== 'FOUND') return null;
  return answer.members.flatMap(({ alternative, candidates }, member) => {
    const plan = planned.members[member].plans[alternative]!;
    return candidates.flatMap((candidate) => allocationsOf(plan, candidate));
  });
}

/** Claims each member alone. A common rack is the first one into which the first member fits. */
export function placeMembers(
  snapshot: Snapshot,
  workload: Workload,
  seed: number,
): CandidateAllocation[] | null {
  const isSame = workload.topology.some(({ rule }) => rule === 'SAME');
  if (!isSame) return placeIn(snapshot, workload.members, seed, null);
  const order = permutation(RACKS, seed);
  for (let at = 0; at < RACKS; at++) {
    const rack = aggregateUuid('rack', order(at));
    if (placeIn(snapshot, workload.members.slice(0, 1), seed, rack) !== null)
      return placeIn(snapshot, workload.members, seed, rack);
  }
  return null;
}

function placeIn(
  snapshot: Snapshot,
  members: readonly WorkloadMember[],
  seed: number,
  rack: string | null,
): CandidateAllocation[] | null {
  const all: CandidateAllocation[] = [];
  let now = snapshot;
  for (const { count, placement, requests } of members) {
    let found: CandidateAllocation[] | null = null;
    for (const each of requests) found ??= claimed(now, inRack(each, rack), count, placement, seed);
    if (found === null) return null;
    all.push(...found);
    now = withAllocated(now, found);
  }
  return all;
}

function inRack(stated: CandidatesRequest, rack: string | null): CandidatesRequest {
  return rack === null ? stated : { ...stated, rootMemberOf: [[rack]] };
}

function claimed(
  snapshot: Snapshot,
  stated: CandidatesRequest,
  count: number,
  placement: WorkloadMember['placement'],
  seed: number,
): CandidateAllocation[] | null {
  const plan = planRequest(snapshot, stated)!;
  const placed = finished((effort) => new Placer(snapshot, plan, { count, placement, seed }, effort).run());
  return placed && placed.flatMap((candidate) => allocationsOf(plan, candidate));
}

/** Runs work to its end without pauses. */
function finished<T>(begin: (effort: Effort) => Generator<void, T>): T {
  const step = begin(new Effort()).next();
  if (!step.done) throw new Error('the work paused');
  return step.value;
}

function* fleet(): Generator<Tree> {
  for (let host = 0; host < RACKS * HOSTS_PER_RACK; host++) {
    const rack = aggregateUuid('rack', Math.floor(host / HOSTS_PER_RACK));
    const inventories = { VCPU: { total: 128 }, MEMORY_MB: { total: 786_432 } };
    const device = { parent: 0, inventories: { CUSTOM_DEVICE: { total: DEVICE_SHARE } } };
    yield [{ parent: null, aggregates: [rack], inventories }, ...times(DEVICES, () => device)];
  }
}

/** The share of the free device amount that lies in partly used devices. */
function fragmentation({ blocks, classes }: Snapshot): number {
  const device = classes.idOf('CUSTOM_DEVICE')!;
  let [free, partly] = [0, 0];
  for (const block of blocks) {
    block.classes.forEach((resourceClass, at) => {
      const left = resourceClass === device ? block.capacities[at] - block.used[at] : 0;
      free += left;
      if (left < DEVICE_SHARE) partly += left;
    });
  }
  return free === 0 ? 0 : partly / free;
}

/** A gang of one to three kinds, in one rack or anywhere, some on different hosts. */
function arrival(seed: number, at: number): { workload: Workload; duration: number; amount: number } {
  let draws = 0;
  const draw = (below: number): number => mix(mix(seed, at), draws++) % below;
  let amount = 0;
  const members = times(1 + draw(3), (member): WorkloadMember => {
    const kind = drawnKind(draw(KINDS.reduce((sum, { weight }) => sum + weight, 0)));
    const count = kind.devices === DEVICES ? 1 + draw(4) : 1 + draw(16);
    amount += count * kind.devices * kind.share;
    const placement =
      kind.devices < DEVICES && draw(4) === 0 && count <= HOSTS_PER_RACK ? 'DISTINCT_TREES' : 'ANY';
    return { name: `m${member}`, count, placement, requests: [memberRequest(kind)] };
  });
  const names = members.map(({ name }) => name);
  const level = {
    kind: 'AGGREGATES',
    aggregates: times(RACKS, (rack) => aggregateUuid('rack', rack)),
  } as const;
  const topology =
    draw(2) === 0 ? [{ level, members: names, rule: 'SAME' as const, maxSkew: 1, allowOutside: false }] : [];
  return { workload: { members, topology }, duration: 20 + draw(80), amount };
}

function drawnKind(draw: number): (typeof KINDS)[number] {
  let left = draw;
  return KINDS.find(({ weight }) => (left -= weight) < 0)!;
}

function memberRequest({ cpu, memory, devices, share }: (typeof KINDS)[number]): CandidatesRequest {
  const groups = times(devices, (at) => group(`_D${at}`, { CUSTOM_DEVICE: share }));
  return requestOf([group('', { VCPU: cpu, MEMORY_MB: memory }), ...groups], { groupPolicy: 'ISOLATE' });
}
