import { describe, expect, test } from '@jest/globals';
import { inUnits, readQuantity, whole } from '../../src/command/fleetSources/quantity.js';
import { failureOf, notesOf, only, parsedYaml, picture, read } from './support.js';

describe('kubernetes', () => {
  test('quantities are exact, and what Kubernetes rejects is none', () => {
    const valid: [string, string][] = [
      ['1.5Gi', '1610612736'],
      ['1e3', '1000'],
      ['12e6', '12000000'],
      ['128974848000m', '128974848'],
      ['.5', '0.5'],
      ['5.', '5'],
      ['+5', '5'],
      ['1k', '1000'],
      ['1E', '1000000000000000000'],
      ['2Ei', '2305843009213693952'],
    ];
    for (const [text, expected] of valid) {
      const milli = BigInt(Math.round(Number(expected) * 1000));
      const quantity = readQuantity(text)!;
      if (!expected.includes('.')) expect(inUnits(quantity, whole(1n))).toBe(BigInt(expected));
      else expect(inUnits(quantity, { numerator: 1n, denominator: 1000n })).toBe(milli);
    }
    for (const text of ['1K', '1ki', '', '.', 'Ki', '1 Gi', '0x1', '1e', '--1', '1.2.3', 'NaN'])
      expect(readQuantity(text)).toBeNull();
  });

  const node = (name: string, allocatable: object, labels = {}, spec = {}) => ({
    kind: 'Node',
    metadata: { name, labels },
    spec,
    status: { allocatable },
  });
  const list = (...items: object[]): string => JSON.stringify({ kind: 'List', items });

  test('allocatable amounts, labels and cordons become a tree', async () => {
    const allocatable = {
      cpu: '3920m',
      memory: '16179872Ki',
      'ephemeral-storage': '95551679124',
      pods: '110',
      'hugepages-2Mi': '1Gi',
      'hugepages-1Gi': '0',
      'nvidia.com/gpu': '4',
    };
    const labels = {
      'kubernetes.io/arch': 'arm64',
      'topology.kubernetes.io/zone': 'eu-1',
      'node.kubernetes.io/instance-type': 'm5',
    };
    expect(await only('kubernetes', list(node('n1', allocatable, labels, { unschedulable: true })))).toBe(
      'n1 CUSTOM_MILLICPU=3920 MEMORY_MB=15800 DISK_GB=88 CUSTOM_PODS=110 CUSTOM_HUGEPAGES_2MI=512 CUSTOM_NVIDIA_COM_GPU=4 HW_ARCH_AARCH64 COMPUTE_STATUS_DISABLED @eu-1',
    );
    const mapping = {
      name: 'mapping.yaml',
      text: 'resources: { cpu: VCPU, pods: null, nvidia.com/gpu: PGPU }\nlabels: { node.kubernetes.io/instance-type: trait }',
    };
    expect(
      await only('kubernetes', list(node('n1', { cpu: '3920m', pods: '9', 'nvidia.com/gpu': 4 }, labels)), {
        mapping,
      }),
    ).toBe('n1 VCPU=3 PGPU=4 CUSTOM_INSTANCE_TYPE_M5 HW_ARCH_AARCH64 @eu-1');
  });

  test('an integer attribute of a device is read from the JSON itself; old slices are omitted', async () => {
    const slice = (generation: number, devices: object[]) => ({
      kind: 'ResourceSlice',
      spec: {
        driver: 'gpu.nvidia.com',
        nodeName: 'n1',
        pool: { name: 'n1', generation, resourceSliceCount: 1 },
        devices,
      },
    });
    const text = list(
      node('n1', { cpu: '4' }),
      slice(1, [{ name: 'gone' }]),
      slice(2, [
        {
          name: 'gpu-0',
          basic: { attributes: { numaNode: { int: 1 }, productName: { string: 'NVIDIA H100 80GB' } } },
        },
        { name: 'gpu-1', attributes: { 'resource.kubernetes.io/numaNode': { int: 0 } } },
        { name: 'gpu-2' },
      ]),
    );
    expect(await only('kubernetes', text)).toBe(`n1 CUSTOM_MILLICPU=4000
  n1-numa1 HW_NUMA_ROOT
    n1-gpu-0 CUSTOM_GPU_NVIDIA_COM=1 CUSTOM_NVIDIA_H100_80GB
  n1-numa0 HW_NUMA_ROOT
    n1-gpu-1 CUSTOM_GPU_NVIDIA_COM=1
  n1-gpu-2 CUSTOM_GPU_NVIDIA_COM=1`);
  });

  test('pods and claims are consumers: what the scheduler counts, rounded up', async () => {
    const requests = (cpu: string, memory?: string) => ({
      resources: { requests: { cpu, ...(memory && { memory }) } },
    });
    const pod = {
      kind: 'Pod',
      metadata: { uid: 'aaaaaaaa-0000-4000-8000-000000000001', namespace: 'ns' },
      spec: {
        nodeName: 'n1',
        serviceAccountName: 'sa',
        containers: [requests('100m', '1Mi'), requests('1.5', '1')],
        initContainers: [{ ...requests('200m'), restartPolicy: 'Always' }, requests('3')],
        overhead: { cpu: '50m' },
      },
      status: { phase: 'Running' },
    };
    const done = { ...pod, status: { phase: 'Succeeded' } };
    const [{ allocations }] = await read(
      'kubernetes',
      list(node('n1', { cpu: '8', memory: '1Gi' }), pod, done),
      { withConsumers: true },
    );
    expect(allocations).toEqual([
      {
        consumer: pod.metadata.uid,
        type: 'POD',
        projectId: 'ns',
        userId: 'sa',
        // the second init container needs 3 beside the 200m of the first, more than all containers together
        allocations: {
          providers: [
            {
              resourceProvider: { name: 'n1' },
              resources: { CUSTOM_MILLICPU: 3250, MEMORY_MB: 2, CUSTOM_PODS: 1 },
            },
          ],
        },
      },
    ]);
  });

  test('a pod that is resized in place counts the most of what is wanted, agreed and in effect', async () => {
    const requests = (cpu: string) => ({ requests: { cpu } });
    const cpuOf = async (status: object) => {
      const pod = {
        kind: 'Pod',
        metadata: { uid: 'aaaaaaaa-0000-4000-8000-000000000001', namespace: 'ns' },
        spec: {
          nodeName: 'n1',
          containers: [{ name: 'a', resources: requests('1') }],
          initContainers: [{ name: 'b', restartPolicy: 'Always', resources: requests('100m') }],
        },
        status: { phase: 'Running', ...status },
      };
      const text = list(node('n1', { cpu: '8' }), pod);
      const [{ allocations }] = await read('kubernetes', text, { withConsumers: true });
      return allocations![0].allocations.providers[0].resources.CUSTOM_MILLICPU;
    };
    const shrinks = [{ name: 'a', allocatedResources: { cpu: '1' }, resources: requests('3') }];
    const grows = [{ name: 'a', allocatedResources: { cpu: '500m' }, resources: requests('500m') }];
    const never = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
    expect(await cpuOf({ containerStatuses: [{ name: 'a' }] })).toBe(1100);
    expect(await cpuOf({ containerStatuses: shrinks })).toBe(3100);
    expect(await cpuOf({ containerStatuses: grows })).toBe(1100);
    expect(await cpuOf({ containerStatuses: grows, conditions: never })).toBe(600);
    expect(await cpuOf({ containerStatuses: grows, resize: 'Infeasible' })).toBe(600);
    expect(await cpuOf({ initContainerStatuses: [{ name: 'b', resources: requests('1') }] })).toBe(2000);
  });

  test('a pod without any amount and a claim with only administrative access are no consumers', async () => {
    const metadata = { uid: 'aaaaaaaa-0000-4000-8000-000000000001', namespace: 'ns' };
    const pod = { kind: 'Pod', metadata, spec: { nodeName: 'n1', containers: [{}] } };
    const spec = {
      driver: 'd',
      nodeName: 'n1',
      pool: { name: 'p' },
      devices: [{ name: 'a' }, { name: 'b' }],
    };
    const claim = (...results: object[]) => ({
      kind: 'ResourceClaim',
      metadata,
      status: { allocation: { devices: { results } } },
    });
    const result = (device: string, adminAccess?: boolean) => ({
      driver: 'd',
      pool: 'p',
      device,
      adminAccess,
    });
    const items = [node('n1', { cpu: '1' }), { kind: 'ResourceSlice', spec }, pod];
    const consumersOf = async (...others: object[]) => {
      const mapping = { name: 'mapping.yaml', text: 'resources: { pods: null }' };
      const options = { withConsumers: true, mapping };
      const [{ allocations }] = await read('kubernetes', list(...items, ...others), options);
      return allocations;
    };
    expect(await consumersOf(claim(result('a', true)))).toBeUndefined();
    expect(await consumersOf(claim(result('a', false), result('b', true)))).toMatchObject([
      { allocations: { providers: [{ resourceProvider: { name: 'n1-a' }, resources: { CUSTOM_D: 1 } }] } },
    ]);
  });

  test('a device that several claims may have is omitted, also from their amounts', async () => {
    const devices = [{ name: 'shared', allowMultipleAllocations: true }, { name: 'own' }];
    const spec = { driver: 'd', nodeName: 'n1', pool: { name: 'p' }, devices };
    const claim = (at: number, ...names: string[]) => ({
      kind: 'ResourceClaim',
      metadata: { uid: `aaaaaaaa-0000-4000-8000-00000000000${at}`, namespace: 'ns' },
      status: {
        allocation: {
          devices: {
            results: names.map((device, share) => ({ driver: 'd', pool: 'p', device, shareID: `${share}` })),
          },
        },
      },
    });
    const items = [node('n1', { cpu: '1' }), { kind: 'ResourceSlice', spec }];
    const text = list(...items, claim(1, 'shared', 'shared'), claim(2, 'shared', 'own'));
    const [tree] = await read('kubernetes', text, { withConsumers: true });
    expect(picture(tree)).toBe('n1 CUSTOM_MILLICPU=1000\n  n1-own CUSTOM_D=1');
    expect(tree.allocations).toMatchObject([
      { projectId: 'ns', allocations: { providers: [{ resources: { CUSTOM_D: 1 } }] } },
    ]);
    expect(await notesOf('kubernetes', text)).toEqual([
      'the device d/p/shared can be in several claims at a time and is omitted',
    ]);
  });

  test('malformed objects are rejected with their path', async () => {
    expect(await failureOf('kubernetes', '{"kind": "List", "items": [')).toMatch(
      /^Failure: cn1.txt: it is no JSON/,
    );
    expect(await failureOf('kubernetes', list(node('n', { cpu: '1K' })))).toBe(
      'Failure: cn1.txt, items[0].status.allocatable.cpu: "1K" is no quantity of Kubernetes from 0, such as 1500m or 1.5Gi',
    );
    expect(await failureOf('kubernetes', list(node('n', { cpu: '1' }), node('n', { cpu: '1' })))).toBe(
      'Failure: cn1.txt, items[1]: the node n is there twice',
    );
    expect(await failureOf('kubernetes', list({ kind: 'Node' }))).toBe(
      'Failure: cn1.txt, items[0].metadata.name: it is undefined: it must be a text',
    );
    expect(await failureOf('kubernetes', list(node('n', {})))).toContain('has no allocatable resource');
    expect(await failureOf('kubernetes', list())).toBe('Failure: cn1.txt: there is no host in it');
    expect(await failureOf('kubernetes', list(node('n', { memory: '9Ei' })))).toContain(
      'memory is too large',
    );
  });
});

describe('csv', () => {
  test('hosts have a line for each class', async () => {
    const text =
      '\uFEFFhost,class,total,reserved,ratio,traits,aggregates\ncn1,VCPU,16,2,4,CUSTOM_A;CUSTOM_B,rack-1\ncn1,MEMORY_MB,64G,,,CUSTOM_A,\n"cn,2",VCPU,8,,,,"rack-1;rack-2"\n';
    expect((await read('csv', text)).map(picture)).toEqual([
      'cn1 VCPU=16-2 allocationRatio 4 MEMORY_MB=65536 CUSTOM_A CUSTOM_B @rack-1',
      'cn,2 VCPU=8 @rack-1 @rack-2',
    ]);
  });

  test('only semicolons separate traits and aggregates: blanks in a name stay', async () => {
    const text = 'host\ttraits\taggregates\ncn1\tCUSTOM_A; CUSTOM_B;\tRack 12 ; Row B|C\n';
    const [{ root }] = await read('csv', text);
    expect(root).toMatchObject({ traits: ['CUSTOM_A', 'CUSTOM_B'], aggregates: ['Rack 12', 'Row B|C'] });
  });

  test('mistakes are rejected with their line', async () => {
    const rows = (...lines: string[]) => ['host,class,total,reserved,ratio', ...lines].join('\n');
    expect(await failureOf('csv', rows('a,VCPU,1', 'a,VCPU,2,,'))).toMatch(
      /^Failure: cn1.txt, line 2: Invalid Record Length/,
    );
    expect(await failureOf('csv', rows('a,VCPU,1,,', 'a,VCPU,2,,'))).toBe(
      'Failure: cn1.txt, line 3: a has VCPU twice',
    );
    expect(await failureOf('csv', rows('a,VCPU,many,,'))).toContain('line 2: the total of VCPU is "many"');
    expect(await failureOf('csv', rows('a,VCPU,2,3,'))).toContain('more than its total of 2');
    expect(await failureOf('csv', rows('a,VCPU,2,,0'))).toContain('the ratio of VCPU is "0"');
    expect(await failureOf('csv', rows('a,vcpu,2,,'))).toContain('the class "vcpu"');
    expect(await failureOf('csv', rows(',VCPU,2,,'))).toContain('the host has no name');
    expect(await failureOf('csv', rows('"a,VCPU,2,,'))).toMatch(
      /^Failure: cn1.txt, line \d: Quote Not Closed/,
    );
    expect(await failureOf('csv', 'host,cores\na,2')).toContain('there is no column "cores"');
    expect(await failureOf('csv', rows(`${'a'.repeat(201)},VCPU,1,,`))).toContain('has 201 characters');
    expect(await failureOf('csv', rows())).toBe('Failure: cn1.txt: there is no host in it');
  });

  const hosts = 'name;cpus;ram_gb;gpus;model;rack\ncn1;64;512;2;A 100;Rack 1\ncn2;8;16;0;;\n';
  const mapped = (text: string, mapping: string) =>
    [{ 'cn1.txt': text }, { mapping: { name: 'm.yaml', text: mapping } }] as const;
  const MAPPING = `host: name
resources: { cpus: VCPU, ram_gb: { class: MEMORY_MB, times: 1024 }, gpus: PGPU }
labels: { model: trait, rack: aggregate }
`;

  test('with a mapping, a table has a line for each host; blanks and 0 are omitted', async () => {
    expect((await read('csv', ...mapped(hosts, MAPPING))).map(picture)).toEqual([
      'cn1 VCPU=64 MEMORY_MB=524288 PGPU=2 CUSTOM_MODEL_A_100 @Rack 1',
      'cn2 VCPU=8 MEMORY_MB=16384',
    ]);
  });

  test('mistakes of a mapping and of a mapped table are rejected', async () => {
    const failure = async (text: string, mapping = MAPPING) => failureOf('csv', ...mapped(text, mapping));
    expect(await failure(hosts.replace('rack', 'row'))).toBe(
      'Failure: cn1.txt, line 1: there is no column "rack"',
    );
    expect(await failure(hosts.replace(';64;', ';many;'))).toContain('line 2: the column cpus is "many"');
    expect(await failure(hosts.replace(';16;', ';2097152;'))).toContain('a whole number from 0 to 2097151');
    expect(await failure(hosts.replace('cn2', 'cn1'))).toContain('line 3: the host cn1 is there twice');
    expect(await failure(hosts.replace('cn2', ''))).toContain('line 3: the host has no name');
    expect(await failure(hosts, 'resources: {}')).toBe(
      'Failure: m.yaml, host: it must name the column of the host',
    );
    expect(await failure(hosts, 'host: name\nresources: { cpus: vcpu }')).toContain('m.yaml, resources.cpus');
    expect(await failure(hosts, 'host: name\nlabels: { rack: zone }')).toContain('m.yaml, labels.rack');
    expect(await failure(hosts, 'hosts: name')).toContain('m.yaml, hosts: the fields are host');
    expect(await failure(hosts, '[')).toContain('Failure: m.yaml: ');
  });
});

test('addresses of PCI devices are texts for readers of YAML 1.1', async () => {
  for (const name of ['0000:17:00.0', '0000:05:00.0', '0000:81:00.0', '0000:3b:00.0'])
    expect(await parsedYaml({ name })).toEqual({ name });
});
