import type { TopologyRule, WorkloadMember } from '../../src/moves/workload/workload.js';
import { requestOf } from '../../src/model/request.js';
import { times } from '../hard/cases.js';
import type { Tree } from '../hard/fleet.js';
import { group } from '../requests.js';
import { aggregateUuid, type WorkloadCase } from './cases.js';

/** The time within which each of these answers must be proven (ms). */
const MAX_MS = 100;

/** Yields racks of flat hosts. No two hosts are equal, unless `total` is given. */
const racksOf = (sizes: readonly number[], total?: number): (() => Iterable<Tree>) =>
  function* () {
    for (const [rack, size] of sizes.entries())
      for (let at = 0; at < size; at++)
        yield [
          {
            parent: null,
            aggregates: [aggregateUuid('rack', rack)],
            inventories: { VCPU: { total: total ?? 8 + ((24 * rack + at) % 71) } },
          },
        ];
  };

const RACKS: TopologyRule['level'] = {
  kind: 'AGGREGATES',
  aggregates: times(3, (at) => aggregateUuid('rack', at)),
};
const TREES: TopologyRule['level'] = { kind: 'TREE' };

const member = (name: string, count: number, amount: number): WorkloadMember => ({
  name,
  count,
  requests: [requestOf([group('', { VCPU: amount })])],
  placement: 'ANY',
});

const rule = (
  kind: TopologyRule['rule'],
  level: TopologyRule['level'],
  members: readonly WorkloadMember[],
): TopologyRule => ({
  rule: kind,
  level,
  members: members.map(({ name }) => name),
  maxSkew: 1,
  allowOutside: false,
});

const ONE = [member('a', 25, 1)];
const TWO = [member('a', 13, 1), member('b', 12, 2)];
const SLICES = times(12, (at) => member(`m${at}`, 4, 8));

/** 25 consumers on three racks of 24 hosts, by two rules. */
const crowded = (
  outer: 'SAME' | 'PACK',
  inner: 'DIFFERENT' | 'SPREAD',
  members: readonly WorkloadMember[],
): WorkloadCase => ({
  what: `${members.map(({ count }) => count).join(' + ')} consumers, racks of 24 hosts: ${outer} rack, ${inner} hosts`,
  trees: racksOf([24, 24, 24]),
  workload: () => ({ members, topology: [rule(outer, RACKS, members), rule(inner, TREES, members)] }),
  ...(outer === 'SAME' ? { expected: 'IMPOSSIBLE', fit: () => 24 } : { expected: 'FOUND', isOptimal: true }),
  maxMs: MAX_MS,
});

/** Workloads for small fleets that a bound proves impossible or optimal. */
export const PROOFS: readonly WorkloadCase[] = [
  ...(['SAME', 'PACK'] as const).flatMap((outer) =>
    (['DIFFERENT', 'SPREAD'] as const).flatMap((inner) =>
      [ONE, TWO].map((members) => crowded(outer, inner, members)),
    ),
  ),
  ...[11, 12].map((count): WorkloadCase => ({
    what: `${count} members of 4 hosts, each in one of three blocks of 15, 17 and 17 hosts`,
    trees: racksOf([15, 17, 17], 8),
    workload: () => ({
      members: SLICES.slice(0, count),
      topology: SLICES.slice(0, count).map((each) => rule('SAME', RACKS, [each])),
    }),
    ...(count === 12 ? { expected: 'IMPOSSIBLE', fit: () => 47 } : { expected: 'FOUND', isOptimal: true }),
    maxMs: MAX_MS,
  })),
];
