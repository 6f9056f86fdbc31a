import { describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { parseResourceSlices } from '../../src/command/fleetSources/kubernetes.js';
import { checkFleet, type SourceNode, type SourceTree } from '../../src/command/fleetSources/source.js';
import { failureOf, picture, read } from './support.js';

interface SliceSpec {
  readonly sharedCounters?: readonly object[];
  readonly devices?: readonly object[];
  readonly nodeName?: string;
  readonly pool?: object;
}

const slice = ({ nodeName = 'n1', pool = { name: 'n1', generation: 1 }, ...spec }: SliceSpec) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  spec: { driver: 'gpu.nvidia.com', nodeName, pool, ...spec },
});

const values = (amounts: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, { value }]));

const set = (name: string, amounts: Readonly<Record<string, unknown>>) => ({
  name,
  counters: values(amounts),
});

const device = (
  name: string,
  counterSet: string,
  amounts: Readonly<Record<string, unknown>>,
  attributes: Readonly<Record<string, object>> = {},
) => ({ name, attributes, consumesCounters: [{ counterSet, counters: values(amounts) }] });

const mig = (profile: string) => ({ type: { string: 'mig' }, profile: { string: profile } });

async function treesOf(...slices: readonly object[]): Promise<readonly SourceTree[]> {
  const text = slices.map((each) => stringify(each)).join('---\n');
  const { trees } = await parseResourceSlices([{ name: 'slices.yaml', text }]);
  checkFleet(trees, 'slices.yaml');
  return trees;
}

const errorOf = (...slices: readonly object[]): Promise<string> =>
  treesOf(...slices).then(
    (trees) => `no failure: ${JSON.stringify(trees)}`,
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

/** Returns lines `DEVICE CLASS: COUNTER=AMOUNT ...` of a tree. */
function consumption({ root }: SourceTree): string[] {
  const lines = (node: SourceNode): string[] => [
    ...Object.entries(node.inventories ?? {}).flatMap(([resourceClass, { consumes }]) => {
      if (consumes === undefined) return [];
      const counters = consumes.map(
        (each) => `${each.resourceProvider.name}/${each.resourceClass}=${each.amount}`,
      );
      return [`${node.name} ${resourceClass}: ${counters.join(' ')}`];
    }),
    ...(node.children ?? []).flatMap(lines),
  ];
  return lines(root);
}

describe('resource slices', () => {
  const counters = { memory: '40Gi', 'memory-slice-0': '1', 'memory-slice-1': 1, encoders: '0' };
  const gpu = [
    slice({ sharedCounters: [set('gpu-0-counter-set', counters)] }),
    slice({
      devices: [
        device(
          'gpu-0-mig-1g20gb-0',
          'gpu-0-counter-set',
          { memory: '20Gi', 'memory-slice-0': '1', encoders: '0' },
          mig('1g.20gb'),
        ),
        device(
          'gpu-0-mig-1g20gb-1',
          'gpu-0-counter-set',
          { memory: '20Gi', 'memory-slice-1': '1' },
          mig('1g.20gb'),
        ),
        device('gpu-0', 'gpu-0-counter-set', {
          memory: '40Gi',
          'memory-slice-0': '1',
          'memory-slice-1': '1',
        }),
        { name: 'gpu-1' },
      ],
    }),
  ];

  test('a counter set is a provider, and the devices that consume its counters are its children', async () => {
    const [tree, ...others] = await treesOf(...gpu);
    expect(others).toEqual([]);
    const shape = ({ name, inventories, children, traits }: SourceNode): SourceNode => ({
      name,
      traits,
      inventories: Object.fromEntries(
        Object.entries(inventories ?? {}).map(([each, { total }]) => [each, { total }]),
      ),
      children: children?.map(shape),
    });
    expect(picture({ root: shape(tree.root) })).toBe(`n1
  n1-gpu-1 CUSTOM_GPU_NVIDIA_COM=1
  n1-gpu-0-counter-set CUSTOM_MEMORY=40960 CUSTOM_MEMORY_SLICE_0=1 CUSTOM_MEMORY_SLICE_1=1
    n1-gpu-0-mig-1g20gb-0 CUSTOM_MIG_1G_20GB=1 CUSTOM_MIG
    n1-gpu-0-mig-1g20gb-1 CUSTOM_MIG_1G_20GB=1 CUSTOM_MIG
    n1-gpu-0 CUSTOM_GPU_NVIDIA_COM=1`);
    expect(consumption(tree)).toEqual([
      'n1-gpu-0-mig-1g20gb-0 CUSTOM_MIG_1G_20GB: n1-gpu-0-counter-set/CUSTOM_MEMORY=20480 n1-gpu-0-counter-set/CUSTOM_MEMORY_SLICE_0=1',
      'n1-gpu-0-mig-1g20gb-1 CUSTOM_MIG_1G_20GB: n1-gpu-0-counter-set/CUSTOM_MEMORY=20480 n1-gpu-0-counter-set/CUSTOM_MEMORY_SLICE_1=1',
      'n1-gpu-0 CUSTOM_GPU_NVIDIA_COM: n1-gpu-0-counter-set/CUSTOM_MEMORY=40960 n1-gpu-0-counter-set/CUSTOM_MEMORY_SLICE_0=1 n1-gpu-0-counter-set/CUSTOM_MEMORY_SLICE_1=1',
    ]);
  });

  test('fleet from kubernetes keeps the counters too', async () => {
    const items = [{ kind: 'Node', metadata: { name: 'n1' }, status: { allocatable: { cpu: '4' } } }, ...gpu];
    const [tree] = await read('kubernetes', JSON.stringify({ kind: 'List', items }));
    const [alone] = await treesOf(...gpu);
    expect(tree.root.inventories).toEqual({ CUSTOM_MILLICPU: { total: 4000 } });
    expect(tree.root.children).toEqual(alone.root.children);
  });

  test.each([
    ['as they are', ['10', '3', '7'], [10, 3, 7]],
    ['in Mi', ['80Gi', '4864Mi'], [81920, 4864]],
    ['in k', ['80G', '10G'], [80_000_000, 10_000_000]],
    ['in m', ['1500m', '500m'], [1500, 500]],
    ['in the unit of the total, rounded up', ['80Gi', '5243392Ki', '1'], [81920, 5121, 1]],
    [
      'in the unit of the total, not above it',
      ['85899345921', '85899345921', '85899345920'],
      [81920, 81920, 81920],
    ],
    ['one above the total if it is more', ['1Gi', '2Gi'], [1073741824, 1073741825]],
  ])('amounts are counted %s', async (_how, [total, ...amounts], [expected, ...others]) => {
    const devices = amounts.map((memory, at) => device(`d${at}`, 'set', { memory }));
    const [tree] = await treesOf(slice({ sharedCounters: [set('set', { memory: total })], devices }));
    const [provider] = tree.root.children!;
    expect(provider.inventories!.CUSTOM_MEMORY.total).toBe(expected);
    expect(
      provider.children!.map((each) => each.inventories!.CUSTOM_GPU_NVIDIA_COM.consumes![0].amount),
    ).toEqual(others);
  });

  const namesOf = ({ root }: SourceTree): string[] => {
    const names = ({ name, children = [] }: SourceNode): string[] => [name, ...children.flatMap(names)];
    return names(root).slice(1).sort();
  };
  const driverSlice = (driver: string, spec: SliceSpec) => {
    const { spec: others, ...rest } = slice(spec);
    return { ...rest, spec: { ...others, driver } };
  };
  const pool = (name: string) => ({ name, generation: 1 });

  test('devices of one name have their driver, and of one driver also their pool, in any order', async () => {
    const devices = [{ name: 'gpu-0' }];
    const slices = [
      driverSlice('gpu.example.com', { devices: [...devices, { name: 'gpu-1' }] }),
      driverSlice('npu.example.com', { devices, pool: pool('a/b') }),
      driverSlice('npu.example.com', { devices, pool: pool('c') }),
      driverSlice('npu.example.com', { devices, nodeName: 'n2', pool: pool('d') }),
    ];
    for (const some of [slices, slices.toReversed()])
      expect((await treesOf(...some)).flatMap(namesOf).sort()).toEqual([
        'n1-gpu-1',
        'n1-gpu.example.com-gpu-0',
        'n1-npu.example.com-a-b-gpu-0',
        'n1-npu.example.com-c-gpu-0',
        'n2-gpu-0',
      ]);
  });

  test('a device has no name of a host or of a NUMA node', async () => {
    const trees = await treesOf(
      slice({
        devices: [{ name: 'x', attributes: { numaNode: { int: 0 } } }, { name: 'numa0' }, { name: '2' }],
      }),
      slice({ nodeName: 'n1-2', pool: pool('n1-2'), devices: [] }),
    );
    expect(trees.flatMap(namesOf)).toEqual([
      'n1-gpu.nvidia.com-2',
      'n1-gpu.nvidia.com-numa0',
      'n1-numa0',
      'n1-x',
    ]);
  });

  test('a counter set with the name of a device or of a set of another pool has an ending', async () => {
    const one = {
      sharedCounters: [set('gpu-0', { memory: '1' }), set('set', { memory: '1' })],
      devices: [device('gpu-0', 'gpu-0', { memory: '1' }), device('gpu-1', 'set', { memory: '1' })],
    };
    const other = {
      sharedCounters: [set('set', { memory: '1' })],
      devices: [device('gpu-2', 'set', { memory: '1' })],
    };
    const [tree] = await treesOf(slice(one), slice({ ...other, pool: pool('other') }));
    expect(consumption(tree)).toEqual([
      'n1-gpu-0 CUSTOM_GPU_NVIDIA_COM: n1-gpu-0-counters/CUSTOM_MEMORY=1',
      'n1-gpu-1 CUSTOM_GPU_NVIDIA_COM: n1-gpu.nvidia.com-n1-set-counters/CUSTOM_MEMORY=1',
      'n1-gpu-2 CUSTOM_GPU_NVIDIA_COM: n1-gpu.nvidia.com-other-set-counters/CUSTOM_MEMORY=1',
    ]);
  });

  test('sets from which one device consumes are one provider', async () => {
    const both = {
      name: 'both',
      consumesCounters: ['b', 'a'].map((name) => ({ counterSet: name, counters: values({ memory: '1' }) })),
    };
    const sharedCounters = ['a', 'b', 'c'].map((name) => set(name, { memory: '2' }));
    const devices = [device('only-a', 'a', { memory: '2' }), both, device('only-c', 'c', { memory: '1' })];
    const [tree] = await treesOf(slice({ sharedCounters, devices }));
    expect(consumption(tree)).toEqual([
      'n1-only-a CUSTOM_GPU_NVIDIA_COM: n1-a/CUSTOM_A_MEMORY=2',
      'n1-both CUSTOM_GPU_NVIDIA_COM: n1-a/CUSTOM_B_MEMORY=1 n1-a/CUSTOM_A_MEMORY=1',
      'n1-only-c CUSTOM_GPU_NVIDIA_COM: n1-c/CUSTOM_MEMORY=1',
    ]);
  });

  test('an older generation of a pool does not count, and devices of v1beta1 are read', async () => {
    const old = slice({
      pool: { name: 'n1', generation: 1 },
      sharedCounters: [set('gone', { a: '1' })],
      devices: [device('gone', 'gone', { a: '1' })],
    });
    const { name, ...basic } = device('new', 'set', { memory: '1' }, { numaNode: { int: 1 } });
    const [tree] = await treesOf(
      old,
      slice({
        pool: { name: 'n1', generation: 2 },
        sharedCounters: [set('set', { memory: '1' })],
        devices: [{ name, basic }],
      }),
    );
    expect(consumption(tree)).toEqual(['n1-new CUSTOM_GPU_NVIDIA_COM: n1-set/CUSTOM_MEMORY=1']);
    expect(tree.root.children!.map((each) => each.name)).toEqual(['n1-numa1']);
  });

  test.each([
    ['there is no counter set b', { devices: [device('d', 'b', { memory: '1' })] }],
    ['the counter set a has no counter cores', { devices: [device('d', 'a', { cores: '1' })] }],
    ['"-1" is no quantity of Kubernetes', { devices: [device('d', 'a', { memory: '-1' })] }],
    ['the counter zero has no total', { devices: [device('d', 'a', { zero: '1' })] }],
    ['is there twice', { devices: [device('d', 'a', { memory: '1' }), { name: 'd' }] }],
    ['the counter set gpu.nvidia.com/n1/a is there twice', { sharedCounters: [set('a', {}), set('a', {})] }],
  ])('%s', async (message, wrong) => {
    const sharedCounters = [set('a', { memory: '1', zero: '0' })];
    const error = await errorOf(slice({ sharedCounters, ...wrong }));
    expect(error).toMatch(/^Failure: slices\.yaml, /);
    expect(error).toContain(message);
  });

  test('devices of two nodes cannot share counters', async () => {
    const error = await errorOf(
      slice({ sharedCounters: [set('a', { memory: '2' })], devices: [device('d', 'a', { memory: '1' })] }),
      slice({ nodeName: 'n2', devices: [device('e', 'a', { memory: '1' })] }),
    );
    expect(error).toContain('devices of n1 and n2 share a');
  });

  test('a file without hosts or with wrong YAML is rejected', async () => {
    expect(await errorOf({ kind: 'Pod' })).toContain('there is no host in it');
    await expect(parseResourceSlices([{ name: 'a.yaml', text: 'a: [' }])).rejects.toThrow(/^a\.yaml: /);
    expect(await failureOf('kubernetes', 'kind: [')).toContain('it is no JSON');
  });
});
