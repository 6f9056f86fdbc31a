/** A drawing: what is written before it is made, and what it shows. */
export interface Scene {
  /** The name of the file, without its ending. */
  readonly name: string;
  /** What the drawing shows, for who cannot see it. */
  readonly title: string;
  /** Mutations, in this order. */
  readonly mutations: readonly string[];
  /** The names of the roots of its trees, from left to right. */
  readonly roots: readonly string[];
  /** A request, of whose only candidate the providers are lit. */
  readonly request?: string;
}

const apply = (root: string, rest = ''): string =>
  `mutation { answer: applyProviderTree(input: { root: ${root} ${rest} }) { __typename } }`;
const inventory = (resourceClass: string, total: number, rest = ''): string =>
  `{ resourceClass: "${resourceClass}", total: ${total} ${rest} }`;
const consumer = (uuid: string, allocations: string, generation = 'null'): string =>
  `{ consumer: "${uuid}", generation: ${generation}, projectId: "docs", userId: "docs", allocations: { providers: [${allocations}] } }`;
const taken = (provider: string, resources: string): string => `{ ${provider}, resources: [${resources}] }`;
const by = (name: string): string => `resourceProvider: { name: "${name}" }`;
const byUuid = (uuid: string): string => `resourceProvider: { uuid: "${uuid}" }`;
const amount = (resourceClass: string, count: number): string =>
  `{ resourceClass: "${resourceClass}", amount: ${count} }`;
const allocate = (consumers: string): string =>
  `mutation { answer: setAllocations(input: { consumers: [${consumers}] }) { __typename } }`;

const INSTANCE = 'd0c50000-0000-4000-8000-000000000001';
const OTHER = 'd0c50000-0000-4000-8000-000000000002';
const THIRD = 'd0c50000-0000-4000-8000-000000000003';
const GPUS = ['d0c50000-0000-4000-8000-0000000000d0', 'd0c50000-0000-4000-8000-0000000000d1'];

const network = (name: string, physical: number): string =>
  `{ name: "${name}", traits: ["CUSTOM_PHYSNET_${physical}"], inventories: [${inventory('SRIOV_NET_VF', 8)}] }`;
const numaHost = (name: string): string =>
  `{ name: "${name}", traits: ["COMPUTE_NODE"], inventories: [${inventory('DISK_GB', 2000)}], children: [${[
    0, 1,
  ]
    .map(
      (node) => `{
        name: "${name}-numa${node}"
        inventories: [${inventory('VCPU', 16)}, ${inventory('MEMORY_MB', 65_536)}]
        children: [${network(`${name}-pf${node}`, node + 1)}]
      }`,
    )
    .join()}] }`;
const trait = (name: string): string =>
  `mutation { answer: createTrait(input: { name: "${name}" }) { __typename } }`;
const plainHost = (name: string, aggregates: readonly string[]): string =>
  `{ name: "${name}", aggregates: [${aggregates.map((each) => `{ name: "${each}" }`).join(', ')}], inventories: [${inventory('VCPU', 16)}] }`;
const named = (uuid: string, name: string): string =>
  `mutation { answer: nameAggregate(input: { aggregate: { uuid: "${uuid}" }, name: "${name}" }) { __typename } }`;
/** An aggregate comes into being with its first provider, and is named then. */
const firstIn = (host: string, aggregates: readonly string[]): string =>
  apply(
    `{ name: "${host}", aggregates: [${aggregates.map((uuid) => `{ uuid: "${uuid}" }`).join(', ')}], inventories: [${inventory('VCPU', 16)}] }`,
  );

const STORAGE = 'd0c50000-0000-4000-8000-00000000000a';
const ZONES = ['zone-a', 'zone-b'].map((name, at) => ({
  name,
  uuid: `d0c50000-0000-4000-8000-0000000000b${at}`,
}));
const RACKS = ['rack-1', 'rack-2'].map((name, at) => ({
  name,
  uuid: `d0c50000-0000-4000-8000-0000000000c${at}`,
}));

/** The drawings in the order in which they are made, on a server that was empty. */
export const SCENES: readonly Scene[] = [
  {
    name: 'single',
    title: 'A host that is one resource provider, with three inventories of which a part is in use',
    mutations: [
      apply(
        `{ name: "host-1", traits: ["COMPUTE_NODE", "HW_CPU_X86_AVX2"], inventories: [
          ${inventory('VCPU', 16, 'allocationRatio: 2')}, ${inventory('MEMORY_MB', 65_536)}, ${inventory('DISK_GB', 1000)}] }`,
      ),
      allocate(
        consumer(
          INSTANCE,
          taken(
            by('host-1'),
            [amount('VCPU', 8), amount('MEMORY_MB', 32_768), amount('DISK_GB', 100)].join(),
          ),
        ),
      ),
    ],
    roots: ['host-1'],
  },
  {
    name: 'nested',
    title: 'A host as a tree: two NUMA nodes, and a network card below each of them',
    mutations: [trait('CUSTOM_PHYSNET_1'), trait('CUSTOM_PHYSNET_2'), apply(numaHost('host-2'))],
    roots: ['host-2'],
  },
  {
    name: 'affinity',
    title:
      'Processors, memory and a network function from the same NUMA node, which two groups in one subtree ask for',
    mutations: [],
    roots: ['host-2'],
    request: `{
      groups: [
        { suffix: "_CPU", resources: [${amount('VCPU', 4)}, ${amount('MEMORY_MB', 8192)}] }
        { suffix: "_NET", resources: [${amount('SRIOV_NET_VF', 1)}], requiredTraits: ["CUSTOM_PHYSNET_2"] }
      ]
      sameSubtree: [{ groups: ["_CPU", "_NET"] }]
    }`,
  },
  {
    name: 'shared',
    title:
      'Two hosts and a storage pool in one aggregate: a candidate takes processors of a host and disk of the pool',
    mutations: [
      apply(
        `{ name: "host-3", aggregates: [{ uuid: "${STORAGE}" }], inventories: [${inventory('VCPU', 16)}] }`,
      ),
      named(STORAGE, 'storage-1'),
      apply(
        `{ name: "host-4", aggregates: [{ name: "storage-1" }], inventories: [${inventory('VCPU', 4)}] }`,
      ),
      apply(`{ name: "pool-1", aggregates: [{ name: "storage-1" }], traits: ["MISC_SHARES_VIA_AGGREGATE"],
        inventories: [${inventory('DISK_GB', 50_000)}] }`),
    ],
    roots: ['host-3', 'pool-1', 'host-4'],
    request: `{ rootMemberOf: [[{ name: "storage-1" }]], groups: [{ resources: [${amount('VCPU', 8)}, ${amount('DISK_GB', 100)}] }] }`,
  },
  {
    name: 'aggregates',
    title:
      'Four hosts in zones and racks: an aggregate is any set of providers, and a provider may be in several',
    mutations: [
      firstIn('host-5', [ZONES[0].uuid, RACKS[0].uuid]),
      firstIn('host-8', [ZONES[1].uuid, RACKS[1].uuid]),
      ...[...ZONES, ...RACKS].map(({ uuid, name }) => named(uuid, name)),
      apply(plainHost('host-6', ['zone-a', 'rack-2'])),
      apply(plainHost('host-7', ['zone-b', 'rack-1'])),
    ],
    roots: ['host-5', 'host-6', 'host-7', 'host-8'],
  },
  {
    name: 'reshape-before',
    title: 'A host whose root has the inventory of VGPU, of which two instances use three',
    mutations: [
      apply(`{ name: "host-9", inventories: [${inventory('VCPU', 16)}, ${inventory('VGPU', 4)}] }`),
      allocate(
        [
          consumer(OTHER, taken(by('host-9'), [amount('VCPU', 4), amount('VGPU', 1)].join())),
          consumer(THIRD, taken(by('host-9'), amount('VGPU', 2))),
        ].join(),
      ),
    ],
    roots: ['host-9'],
  },
  {
    name: 'reshape-after',
    title:
      'The same host after the reshape: each physical GPU has its own inventory, and the allocations have moved along',
    mutations: [
      apply(
        `{ name: "host-9", inventories: [${inventory('VCPU', 16)}], children: [
          { name: "host-9-gpu0", uuid: "${GPUS[0]}", inventories: [${inventory('VGPU', 2)}] }
          { name: "host-9-gpu1", uuid: "${GPUS[1]}", inventories: [${inventory('VGPU', 2)}] }] }`,
        `allocations: [
          ${consumer(OTHER, [taken(by('host-9'), amount('VCPU', 4)), taken(byUuid(GPUS[0]), amount('VGPU', 1))].join(), '1')}
          ${consumer(THIRD, taken(byUuid(GPUS[1]), amount('VGPU', 2)), '1')}]`,
      ),
    ],
    roots: ['host-9'],
  },
];
