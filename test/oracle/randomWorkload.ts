import type { TopologyRule } from '../../src/moves/workload/workload.js';
import type { Candidate } from '../support/answers.js';
import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import {
  aggregate,
  SHARING,
  uuidOf,
  type Forest,
  type InventoryRecord,
  type ProviderRecord,
} from '../support/forest.js';
import { Random } from './random.js';
import { addCounters, randomForest } from './randomForest.js';
import { randomRequest } from './randomRequest.js';
import { WorkloadOracle, type CaseMember, type CaseWorkload } from './workload.js';

const ZONES = ['Z1', 'Z2'].map(aggregate);
const RACKS = ['R1', 'R2', 'R3'].map(aggregate);
const SWITCH = 'CUSTOM_SWITCH';
const TRAITS = ['CUSTOM_RED', 'CUSTOM_BLUE'];
type Allocations = Candidate['allocations'];

const UNITS = { reserved: 0, min_unit: 1, max_unit: 2147483647, step_size: 1, allocation_ratio: 1 };

export interface WorkloadCase {
  forest: Forest;
  workload: CaseWorkload;
}

/**
 * Returns the case for a seed: mostly small hosts in racks and zones, sometimes any forest with any
 * requests.
 */
export function workloadCase(seed: number): WorkloadCase {
  const random = new Random(seed);
  const isAny = random.chance(20);
  const forest = isAny ? randomForest(random) : hosts(random);
  const request = (): CaseRequest => (isAny ? anyRequest(random, forest) : hostRequest(random));
  const members = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, (_, at): CaseMember => ({
    name: `m${at}`,
    count: random.pick([1, 1, 2, 2, 3, 4]),
    requests: Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, request),
    placement: random.pick(['ANY', 'ANY', 'ANY', 'ANY', 'SAME_TREE', 'DISTINCT_TREES']),
  }));
  const topology = Array.from({ length: random.pick([0, 0, 1, 1, 1, 2, 3]) }, () =>
    rule(random, members, isAny),
  );
  if (random.chance(30)) nameConsumers(random, forest, members);
  const topologyAlternatives = random.chance(25)
    ? Array.from({ length: random.between(1, 3) }, () =>
        Array.from({ length: random.pick([0, 1, 1, 2]) }, () => rule(random, members, isAny)),
      )
    : [];
  const workload: CaseWorkload = { members, topology, topologyAlternatives };
  if (random.chance(35)) placeSome(random, forest, workload);
  return { forest, workload };
}

/** Gives some consumers a candidate of a request of their member, and some of these other amounts. */
function placeSome(random: Random, forest: Forest, workload: CaseWorkload): void {
  const { options } = new WorkloadOracle(forest, workload);
  workload.members.forEach((member, at) => {
    if (random.chance(30)) return;
    const all = random.pick(options[at]);
    const share = random.pick([40, 70, 100]);
    member.present = Array.from({ length: member.count }, () =>
      all.length > 0 && random.chance(share) ? random.pick(all).candidate.allocations : null,
    );
  });
  if (random.chance(50)) return;
  workload.members.forEach((member, at) => {
    const share = random.pick([0, 50, 100]);
    const all = options[at].flat().map(({ candidate }) => candidate.allocations);
    member.present = member.present?.map((one) => {
      if (one === null || !random.chance(share)) return one;
      return random.chance(40) ? random.pick(all) : withOtherAmount(random, one);
    });
  });
}

/** Returns allocations of which one amount differs. */
function withOtherAmount(random: Random, allocations: Allocations): Allocations {
  const changed = structuredClone(allocations);
  const amounts = random.pick(Object.values(changed));
  const name = random.pick(Object.keys(amounts));
  amounts[name] = Math.max(1, amounts[name] + random.pick([-1, 1, 1, 2]));
  return changed;
}

/** Lets requests name consumers of the workload and of the forest. */
function nameConsumers(random: Random, forest: Forest, members: readonly CaseMember[]): void {
  for (const member of members)
    member.consumers = Array.from({ length: member.count }, (_, at) =>
      uuidOf('consumer', `${member.name}.${at}`),
    );
  const inner = members.flatMap(({ consumers }) => consumers!);
  const outer = [...new Set(forest.allocations.map(({ consumer }) => consumer))];
  const list = (share: number): string[] => [...random.some(inner, share), ...random.some(outer, 10)];
  for (const request of members.flatMap(({ requests }) => requests)) {
    if (random.chance(50)) request.awayFromConsumers = list(random.pick([30, 60, 100]));
    if (random.chance(25)) request.nearConsumers = list(random.pick([30, 60, 100]));
    if (random.chance(15)) request.orderBy = [...(request.orderBy ?? []), { nearConsumers: list(60) }];
  }
}

function hosts(random: Random): Forest {
  const forest: Forest = { providers: [], allocations: [] };
  const isOverlapping = random.chance(15);
  const add = (provider: Partial<ProviderRecord> & { name: string }): void => {
    forest.providers.push({
      uuid: uuidOf('provider', provider.name),
      parent: null,
      inventories: {},
      traits: [],
      aggregates: [],
      ...provider,
    });
  };
  const isNested = random.chance(50);
  const most = random.pick([1, 2, 3, 4, 6]);
  for (let host = random.between(2, 5); host > 0; host--) {
    const root = `h${host}`;
    const rack = random.between(0, 2);
    const aggregates = [RACKS[rack], ZONES[rack % 2]];
    if (isOverlapping) aggregates.push(...random.some([...RACKS, ...ZONES], 30));
    if (random.chance(8)) aggregates.shift();
    const inventories: ProviderRecord['inventories'] = {
      VCPU: inventory(random, most),
      ...(isNested ? {} : { VGPU: inventory(random, Math.max(2, most - 1)) }),
    };
    add({ name: root, inventories, aggregates: [...new Set(aggregates)], traits: random.some(TRAITS, 35) });
    if (!isNested) continue;
    for (let device = random.between(1, 3); device > 0; device--) {
      const traits = [...random.some(TRAITS, 40), ...random.some([SWITCH], 30)];
      const devices: ProviderRecord['inventories'] = random.chance(85)
        ? { VGPU: inventory(random, Math.max(2, most - 1)) }
        : {};
      const below = random.chance(20) ? random.some(RACKS, 30) : [];
      add({ name: `${root}d${device}`, parent: root, inventories: devices, traits, aggregates: below });
    }
  }
  if (random.chance(12)) {
    const disk = { DISK_GB: inventory(random, 4) };
    add({
      name: 'pool',
      inventories: disk,
      traits: [SHARING],
      aggregates: random.some([...RACKS, ...ZONES], 50),
    });
  }
  if (random.chance(35)) addCounters(random, forest.providers);
  for (const { name, inventories } of forest.providers) {
    for (const [resourceClass, { total }] of Object.entries(inventories)) {
      if (!random.chance(15)) continue;
      const consumer = uuidOf('consumer', `${name} ${resourceClass}`);
      forest.allocations.push({ consumer, provider: name, resourceClass, used: random.between(1, total) });
    }
  }
  return forest;
}

function inventory(random: Random, most: number): InventoryRecord {
  return { ...UNITS, total: random.between(1, most) };
}

function hostRequest(random: Random): CaseRequest {
  const groups: CaseGroup[] = [];
  if (random.chance(65)) {
    const disk: Record<string, number> = random.chance(6) ? { DISK_GB: 1 } : {};
    groups.push({ suffix: '', resources: { VCPU: random.pick([1, 1, 1, 2, 2, 3]), ...disk } });
  }
  const devices = groups.length === 0 ? random.between(1, 2) : random.pick([0, 0, 0, 1, 1, 2]);
  for (let device = 0; device < devices; device++)
    groups.push({ suffix: `_D${device}`, resources: { VGPU: random.pick([1, 1, 1, 2]) } });
  for (const group of groups) {
    if (random.chance(12)) group.required = [[random.pick(TRAITS)]];
    if (random.chance(5))
      group.forbidden = [random.pick(TRAITS)].filter((one) => group.required?.[0][0] !== one);
    if (random.chance(8))
      group.memberOf = [random.some([...RACKS, ...ZONES], 40), RACKS].filter((one) => one.length > 0);
  }
  const classes = [...new Set(groups.flatMap(({ resources }) => Object.keys(resources!)))];
  const order = random.chance(20) ? random.sample(classes, random.pick([1, 1, 2])) : [];
  return {
    groups,
    groupPolicy: random.chance(40) ? 'isolate' : 'none',
    orderBy: order.map((resourceClass) => ({
      freeShare: { resourceClass, strategy: random.pick(['SPREAD', 'PACK']) },
    })),
    ...(random.chance(8) ? { rootRequired: [random.pick(TRAITS)] } : {}),
  };
}

/** Returns any request without amounts to be split. */
function anyRequest(random: Random, forest: Forest): CaseRequest {
  const request = randomRequest(random, forest);
  return { ...request, groups: request.groups.map(({ canSplit, ...group }) => (canSplit ? group : group)) };
}

function rule(random: Random, members: readonly CaseMember[], isAny: boolean): TopologyRule {
  const names = members.map(({ name }) => name);
  const named = random.some(names, 70);
  const all = isAny ? ['A', 'B', 'C'].map(aggregate) : RACKS;
  const racks = random.chance(30) ? random.sample(all, random.between(1, 2)) : all;
  const level = random.pick<TopologyRule['level']>([
    { kind: 'TREE' },
    { kind: 'AGGREGATES', aggregates: racks },
    { kind: 'AGGREGATES', aggregates: racks },
    { kind: 'AGGREGATES', aggregates: isAny ? all.slice(1) : ZONES },
    { kind: 'TRAIT', trait: isAny ? 'CUSTOM_RED' : SWITCH },
  ]);
  return {
    level,
    members: named.length > 0 ? named : [random.pick(names)],
    rule: random.pick(['SAME', 'DIFFERENT', 'SPREAD', 'PACK', 'PACK']),
    maxSkew: random.pick([1, 1, 2]),
    allowOutside: random.chance(35),
  };
}
