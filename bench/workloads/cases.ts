import type { TopologyRule, Workload, WorkloadMember } from '../../src/moves/workload/workload.js';
import { times } from '../hard/cases.js';
import type { Tree } from '../hard/fleet.js';
import { group } from '../requests.js';
import { requestOf } from '../../src/model/request.js';

/** A workload for a fleet with its expected answer. */
export interface WorkloadCase {
  readonly what: string;
  readonly trees: (hosts: number) => Iterable<Tree>;
  readonly workload: (hosts: number) => Workload;
  readonly expected: 'FOUND' | 'IMPOSSIBLE';
  readonly isOptimal?: boolean;
  /** The maximum number of consumers of an impossible workload that fit. */
  readonly fit?: (hosts: number) => number;
  /** The maximum processor time (ms). Default: 5,000. */
  readonly maxMs?: number;
}

const HOSTS_PER_RACK = 50;
const ZONES = 20;

export function aggregateUuid(kind: 'rack' | 'zone' | 'block', at: number): string {
  const digit = { rack: 'a', zone: 'b', block: 'c' }[kind];
  return `${digit}0000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`;
}

/**
 * Returns the aggregates of the n-th host: 50 hosts a rack, racks in turn in 20 zones, 8 a block.
 */
function aggregatesOf(at: number): string[] {
  const rack = Math.floor(at / HOSTS_PER_RACK);
  return [
    aggregateUuid('rack', rack),
    aggregateUuid('zone', rack % ZONES),
    aggregateUuid('block', Math.floor(rack / 8)),
  ];
}

const racks = (hosts: number): TopologyRule['level'] => ({
  kind: 'AGGREGATES',
  aggregates: times(Math.ceil(hosts / HOSTS_PER_RACK), (at) => aggregateUuid('rack', at)),
});
const zones = (hosts: number): TopologyRule['level'] => ({
  kind: 'AGGREGATES',
  aggregates: times(Math.min(ZONES, Math.ceil(hosts / HOSTS_PER_RACK)), (at) => aggregateUuid('zone', at)),
});

/** Yields hosts with processors, memory and devices. The usage differs from host to host. */
function* usedHosts(hosts: number): Generator<Tree> {
  for (let at = 0; at < hosts; at++) {
    const node = (salt: number): Tree[number] => ({
      parent: 0,
      inventories: {
        VCPU: { total: 64, used: (at * 7 + salt * 13) % 61 },
        MEMORY_MB: { total: 131_072, used: ((at * 11 + salt * 17) % 120) * 1024 },
      },
    });
    const devices = times(2, (device) => ({
      parent: 1 + device,
      inventories: { VGPU: { total: 4, used: (at + device) % 5 } },
    }));
    yield [{ parent: null, aggregates: aggregatesOf(at) }, node(1), node(2), ...devices];
  }
}

const member = (
  name: string,
  count: number,
  requests: WorkloadMember['requests'],
  placement: WorkloadMember['placement'] = 'ANY',
): WorkloadMember => ({ name, count, requests, placement });

/** 64 members of different sizes, 1,000 consumers in all. */
function unlikeMembers(): WorkloadMember[] {
  return times(64, (at) => {
    const amounts = { VCPU: 1 + (at % 16), MEMORY_MB: 1024 * (1 + ((at * 5) % 24)) };
    const groups = [group('', amounts)];
    if (at % 8 === 0) groups.push(group('_D', { VGPU: 1 + (at % 3) }));
    return member(`m${at}`, at < 40 ? 16 : 15, [requestOf(groups)]);
  });
}

const accelerators = (amount: number): WorkloadMember['requests'][number] =>
  requestOf([group('_A', { CUSTOM_ACCELERATOR: amount })]);

/** Yields hosts of eight accelerators each. `freeIn` returns the free ones of the n-th host. */
function acceleratorHosts(freeIn: (at: number) => number): WorkloadCase['trees'] {
  return function* (hosts) {
    for (let at = 0; at < hosts; at++)
      yield [
        {
          parent: null,
          aggregates: aggregatesOf(at),
          inventories: { CUSTOM_ACCELERATOR: { total: 8, used: 8 - freeIn(at) } },
        },
      ];
  };
}

/**
 * Yields hosts with an old and a new device. New ones are free in a twentieth of the hosts, old
 * ones in eight of these hosts.
 */
function* deviceHosts(hosts: number): Generator<Tree> {
  for (let at = 0; at < hosts; at++)
    yield [
      { parent: null, aggregates: aggregatesOf(at) },
      { parent: 0, inventories: { VGPU: { total: 1, used: Number(at % 20 > 0) } }, traits: ['CUSTOM_NEW'] },
      { parent: 0, inventories: { VGPU: { total: 1, used: Number(at % 20 > 0 || at >= 160) } } },
    ];
}

export const CASES: readonly WorkloadCase[] = [
  {
    what: '1,000 consumers of 64 kinds',
    trees: usedHosts,
    workload: () => ({ members: unlikeMembers(), topology: [] }),
    expected: 'FOUND',
    isOptimal: true,
  },
  {
    what: '1,000 consumers of 64 kinds, each kind spread over 20 zones with skew 1',
    trees: usedHosts,
    workload: (hosts) => ({
      members: unlikeMembers(),
      topology: times(64, (at) => ({
        level: zones(hosts),
        members: [`m${at}`],
        rule: 'SPREAD' as const,
        maxSkew: 1,
        allowOutside: false,
      })),
    }),
    expected: 'FOUND',
    isOptimal: true,
  },
  {
    what: 'kubernetes issue 138765: any device for some, new devices for others, none to spare',
    trees: deviceHosts,
    workload: (hosts) => ({
      members: [
        member('any', 8, [requestOf([group('_D', { VGPU: 1 })])]),
        member('new', Math.ceil(hosts / 20), [
          requestOf([group('_D', { VGPU: 1 }, { requiredTraits: [['CUSTOM_NEW']] })]),
        ]),
      ],
      topology: [],
    }),
    expected: 'FOUND',
    isOptimal: true,
  },
  {
    what: 'one consumer more than fits, of five accelerators each',
    trees: acceleratorHosts((at) => (at % 20 === 0 ? 5 + (at % 3) : at % 5)),
    workload: (hosts) => ({
      members: [member('a', Math.ceil(hosts / 20) + 1, [accelerators(5)])],
      topology: [],
    }),
    expected: 'IMPOSSIBLE',
    fit: (hosts) => Math.ceil(hosts / 20),
  },
  {
    what: '512 accelerators in the fewest racks',
    trees: acceleratorHosts((at) => (at * 7 + Math.floor(at / HOSTS_PER_RACK)) % 9),
    workload: (hosts) => ({
      members: [member('a', 512, [accelerators(1)])],
      topology: [{ level: racks(hosts), members: ['a'], rule: 'PACK', maxSkew: 1, allowOutside: false }],
    }),
    expected: 'FOUND',
    isOptimal: true,
  },
  {
    what: '512 accelerators in hosts of eight in the fewest racks',
    trees: acceleratorHosts((at) => ((at * 7) % 11 === 0 ? 8 : at % 8)),
    workload: (hosts) => ({
      members: [member('a', 64, [accelerators(8)])],
      topology: [{ level: racks(hosts), members: ['a'], rule: 'PACK', maxSkew: 1, allowOutside: false }],
    }),
    expected: 'FOUND',
    isOptimal: true,
  },
  {
    what: '410 consumers spread over 20 zones with skew 1, on different hosts',
    trees: usedHosts,
    workload: (hosts) => ({
      members: [member('a', 410, [requestOf([group('', { VCPU: 4, MEMORY_MB: 4096 })])], 'DISTINCT_TREES')],
      topology: [{ level: zones(hosts), members: ['a'], rule: 'SPREAD', maxSkew: 1, allowOutside: false }],
    }),
    expected: 'FOUND',
    isOptimal: true,
  },
  {
    what: '128 accelerators in one block, in hosts of eight, with a spare, on different hosts',
    trees: acceleratorHosts((at) => ((at * 7) % 11 === 0 || Math.floor(at / 400) === 17 ? 8 : at % 8)),
    workload: (hosts) => ({
      members: [
        member('worker', 16, [accelerators(8)], 'DISTINCT_TREES'),
        member('spare', 1, [accelerators(8)]),
      ],
      topology: [
        {
          level: {
            kind: 'AGGREGATES',
            aggregates: times(Math.ceil(hosts / 400), (at) => aggregateUuid('block', at)),
          },
          members: ['worker', 'spare'],
          rule: 'SAME',
          maxSkew: 1,
          allowOutside: false,
        },
        {
          level: { kind: 'TREE' },
          members: ['worker', 'spare'],
          rule: 'DIFFERENT',
          maxSkew: 1,
          allowOutside: false,
        },
      ],
    }),
    expected: 'FOUND',
    isOptimal: true,
  },
];
