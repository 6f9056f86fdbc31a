import { describe, expect, test } from '@jest/globals';
import { expandHosts } from '../../src/command/fleetSources/hostList.js';
import { inUnits, readQuantity, whole } from '../../src/command/fleetSources/quantity.js';
import { failureOf, notesOf, only, parsedYaml, picture, read } from './support.js';

describe('slurm', () => {
  test('a node line has its CPUs, not the product of its levels, and no packages are no fault', async () => {
    expect(
      await only(
        'slurm',
        'NodeName=hybrid CPUs=5 Boards=1 SocketsPerBoard=1 CoresPerSocket=3 ThreadsPerCore=1 RealMemory=4096\nUpTime=0-01:00:00',
      ),
    ).toBe('hybrid VCPU=5 MEMORY_MB=4096');
    expect(
      await only(
        'slurm',
        'NodeName=n CPUs=4 Boards=1 SocketsPerBoard=0 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1024',
      ),
    ).toBe('n VCPU=4 MEMORY_MB=1024');
    expect(await failureOf('slurm', '\nNodeName=n Boards=1 SocketsPerBoard=0 CoresPerSocket=4')).toBe(
      'Failure: cn1.txt, line 2: n has no CPUs, and the product of its sockets, cores and threads is 0',
    );
    expect(await failureOf('slurm', 'NodeName=n CPUs=0')).toContain(
      'cpus of n is "0": it must be a whole number from 1',
    );
  });

  test('Procs of older configurations is another word for CPUs', async () => {
    const text =
      'NodeName=DEFAULT Procs=8\nNodeName=n1\nNodeName=n2 Procs=16 Sockets=2 CoresPerSocket=2\nNodeName=n3 CPUs=4';
    expect((await read('slurm', text)).map(picture)).toEqual([
      'n1 VCPU=8 MEMORY_MB=1',
      'n2 VCPU=16 MEMORY_MB=1',
      'n3 VCPU=4 MEMORY_MB=1',
    ]);
  });

  test('a count of generic resources of 2K is 2048, also in gres.conf', async () => {
    expect(await only('slurm', 'NodeName=n CPUs=4 RealMemory=1 Gres=gpu:a100:4(S:0-1),gpu:t4:1,shard:2K'))
      .toBe(`n VCPU=4 MEMORY_MB=1
  n-gpu-a100 PGPU=4 CUSTOM_GPU_A100
  n-gpu-t4 PGPU=1 CUSTOM_GPU_T4
  n-shard CUSTOM_GRES_SHARD=2048`);
    for (const [count, total] of Object.entries({ '3': 3, '1k': 2 ** 10, '2M': 2 ** 21, '1G': 2 ** 30 }))
      expect(await only('slurm', `NodeName=n CPUs=4\nName=disk Count=${count}`)).toBe(
        `n VCPU=4 MEMORY_MB=1\n  n-disk CUSTOM_GRES_DISK=${total}`,
      );
    expect(await failureOf('slurm', 'NodeName=n CPUs=4\nName=disk Count=many')).toBe(
      'Failure: cn1.txt, line 2: disk has the Count "many"',
    );
    expect(await failureOf('slurm', 'NodeName=n CPUs=4 Gres=disk:4X')).toBe(
      'Failure: cn1.txt, line 1: Gres of n has the count "4X"',
    );
  });

  test('a resource that jobs do not consume is omitted, also if gres.conf has it', async () => {
    // the example of the manual of slurm.conf
    const text = 'NodeName=n CPUs=4 Gres=gpu:tesla:1,gpu:kepler:1,bandwidth:lustre:no_consume:4G';
    expect(await only('slurm', text)).toBe(
      `n VCPU=4 MEMORY_MB=1\n  n-gpu-tesla PGPU=1 CUSTOM_GPU_TESLA\n  n-gpu-kepler PGPU=1 CUSTOM_GPU_KEPLER`,
    );
    const configured = 'NodeName=n CPUs=4 Gres=disk:no_consume:2\nName=disk Count=2';
    expect(await only('slurm', configured)).toBe('n VCPU=4 MEMORY_MB=1');
  });

  test('a count that is larger than a total can be is omitted with a note', async () => {
    for (const text of [
      'NodeName=n CPUs=4 Gres=net:4G,disk:2T,gpu:1',
      'NodeName=n CPUs=4\nName=net Count=4G\nName=disk Count=1T\nName=disk Count=1T\nName=gpu',
    ]) {
      expect(await only('slurm', text)).toBe('n VCPU=4 MEMORY_MB=1\n  n-gpu PGPU=1');
      expect(await notesOf('slurm', text)).toEqual([
        'n-net is omitted: its count is 4294967296, above 2147483647',
        'n-disk is omitted: its count is 2199023255552, above 2147483647',
      ]);
    }
  });

  test('host lists keep duplicates, widths and their order, and expand row by row', () => {
    expect(expandHosts('n[01,1-2,02]')).toEqual(['n01', 'n1', 'n2', 'n02']);
    expect(expandHosts('n[1,1],a')).toEqual(['n1', 'n1', 'a']);
    expect(expandHosts('r[1-2]n[01-03]')).toEqual(['r1n01', 'r1n02', 'r1n03', 'r2n01', 'r2n02', 'r2n03']);
    expect(expandHosts('n[9-11]x')).toEqual(['n9x', 'n10x', 'n11x']);
    const [first, last] = ['20261130031530123456', '20261130031530123457']; // above 2 ** 64
    expect(expandHosts(`gpu-[${first}-${last}]`)).toEqual([`gpu-${first}`, `gpu-${last}`]);
    expect(expandHosts('n[0000000009-0000000010]')).toEqual(['n0000000009', 'n0000000010']);
    for (const wrong of [
      'n[',
      'n]',
      'n[1-',
      'n[2-1]',
      'n[a]',
      'n[[1]]',
      'n[1-999999999]',
      'a,,b',
      'n[1-9999][1-9999]',
    ])
      expect(() => expandHosts(wrong)).toThrow(/host list|brackets/);
  });

  test('a host that a list has twice is rejected with its line', async () => {
    expect(await failureOf('slurm', '# nodes\nNodeName=n[1-2],n1 CPUs=1')).toBe(
      'Failure: cn1.txt, line 2: the node n1 is there twice',
    );
  });

  test('defaults, continued lines, gres.conf and topology.conf are read together', async () => {
    const files = {
      'slurm.conf':
        'ClusterName=c\nNodeName=DEFAULT CPUs=8 \\\n  RealMemory=1024 CoreSpecCount=1 ThreadsPerCore=2 TmpDisk=10240\nNodeName=n[1-2] Features=fast,ib\nNodeName=old CPUs=2 State=FUTURE\nPartitionName=p Nodes=ALL',
      'gres.conf': 'NodeName=n2 Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-3',
      'topology.conf':
        'SwitchName=leaf1 Nodes=n1\nSwitchName=leaf2 Nodes=n2\nSwitchName=top Switches=leaf[1-2]',
    };
    const [one, two, ...others] = (await read('slurm', files)).map(picture);
    expect(others).toEqual([]);
    expect(one).toBe('n1 VCPU=8-2 MEMORY_MB=1024 DISK_GB=10 CUSTOM_FAST CUSTOM_IB @leaf1 @top');
    expect(two).toBe(
      `n2 VCPU=8-2 MEMORY_MB=1024 DISK_GB=10 CUSTOM_FAST CUSTOM_IB @leaf2 @top\n  n2-gpu-a100 PGPU=4 CUSTOM_GPU_A100`,
    );
  });

  test('scontrol show nodes', async () => {
    const text = `NodeName=cn1 Arch=x86_64 CoresPerSocket=8
   CPUAlloc=0 CPUEfctv=16 CPUTot=16 CPULoad=0.01
   AvailableFeatures=ib
   ActiveFeatures=ib
   Gres=gpu:h100:8(S:0-1)
   OS=Linux 6.1.0-18-amd64 #1 SMP
   RealMemory=64000 AllocMem=0 FreeMem=60000 Sockets=2 Boards=1
   MemSpecLimit=1000
   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1
   Reason=fan = broken [root@2026-01-01]

NodeName=cn2 CoresPerSocket=8
   CPUTot=4 RealMemory=100
`;
    expect((await read('slurm', text)).map(picture)).toEqual([
      'cn1 VCPU=16 MEMORY_MB=64000-1000 CUSTOM_IB HW_ARCH_X86_64\n  cn1-gpu-h100 PGPU=8 CUSTOM_GPU_H100',
      'cn2 VCPU=4 MEMORY_MB=100',
    ]);
  });

  test('values that scontrol prints may have #, also in the one line of scontrol -o', async () => {
    const text = `NodeName=cn1 Arch=x86_64 CPUTot=64 Gres=gpu:a100:4(S:0-1) OS=Linux 5.15.0-78-generic #85-Ubuntu SMP RealMemory=515000 State=IDLE TmpDisk=102400 Reason=the "fan
  # a comment
NodeName=cn2 CoresPerSocket=8
   CPUAlloc=0 CPUTot=4
   OS=Linux #1 SMP RealMemory=100
   State=DOWN Reason=ticket #12 is = open
`;
    expect((await read('slurm', text)).map(picture)).toEqual([
      'cn1 VCPU=64 MEMORY_MB=515000 DISK_GB=100 HW_ARCH_X86_64\n  cn1-gpu-a100 PGPU=4 CUSTOM_GPU_A100',
      'cn2 VCPU=4 MEMORY_MB=100',
    ]);
  });

  test('free text that scontrol prints has no values: comments and reasons', async () => {
    const record = 'CPUTot=4 CoresPerSocket=2 RealMemory=100 State=IDLE';
    for (const key of ['Comment', 'Extra', 'Reason']) {
      const note = `${key}=was State=FUTURE and CPUTot=64 with MemSpecLimit=50 Gres=gpu:9`;
      for (const text of [
        `NodeName=cn1 ${record} ${note}\n`,
        `NodeName=cn1 CoresPerSocket=2\n   CPUTot=4\n   RealMemory=100\n   State=IDLE\n   ${note}\n`,
      ])
        expect(await only('slurm', text)).toBe('cn1 VCPU=4 MEMORY_MB=100');
    }
  });

  test('a comment after a value of a configuration file is no part of it', async () => {
    const text = 'NodeName=n CPUs=4#4\n  # CPUs=8\n\t#\nName=gpu Count=2 # Count=4\nSwitchName=s Nodes=n#m\n';
    expect(await only('slurm', text)).toBe('n VCPU=4 MEMORY_MB=1 @s\n  n-gpu PGPU=2');
  });

  test('configuration lines may be indented, and blanks may be around = and after commas', async () => {
    const files = {
      'slurm.conf': `# nodes
  NodeName = n1 CPUs = 4 RealMemory= 10 Reason="CPUs = 8"
\tNodeName =n2 CPUs =8 Features="a, \\
    b"
  PartitionName = p Nodes = ALL State = UP CPUs=2
`,
      'gres.conf': '  Name = gpu Type = a100 Count = 2K\n  NodeName = n1 Name = disk\n',
      'topology.conf': ' SwitchName = s1 Nodes = n1, n2\n SwitchName = s2 Switches = s1\n',
    };
    expect((await read('slurm', files)).map(picture)).toEqual([
      'n1 VCPU=4 MEMORY_MB=10 @s1 @s2\n  n1-gpu-a100 PGPU=2048 CUSTOM_GPU_A100\n  n1-disk CUSTOM_GRES_DISK=1',
      'n2 VCPU=8 MEMORY_MB=1 CUSTOM_A CUSTOM_B @s1 @s2\n  n2-gpu-a100 PGPU=2048 CUSTOM_GPU_A100',
    ]);
  });

  test('processors of a CpuSpecList are reserved, unless the number of cores is stated', async () => {
    const text = `NodeName=n1 CPUs=64 ThreadsPerCore=2 CpuSpecList=0-1,32,33
NodeName=n2 CPUs=64 ThreadsPerCore=2 CpuSpecList="0, 2"
NodeName=n3 CPUTot=64 ThreadsPerCore=2\n   CoreSpecCount=1 CPUSpecList=62-63\n`;
    expect((await read('slurm', text)).map(picture)).toEqual([
      'n1 VCPU=64-4 MEMORY_MB=1',
      'n2 VCPU=64-2 MEMORY_MB=1',
      'n3 VCPU=64-2 MEMORY_MB=1',
    ]);
    expect(await failureOf('slurm', 'NodeName=n1 CPUs=64 CpuSpecList=x')).toContain('no number or range');
  });

  test('nodes with the state or flag FUTURE or CLOUD are omitted, also by DEFAULT', async () => {
    const namesIn = async (text: string) => (await read('slurm', text)).map(({ root }) => root.name);
    for (const state of ['CLOUD', 'FUTURE', 'future'])
      expect(
        await namesIn(
          `NodeName=DEFAULT CPUs=4 State=${state}\nNodeName=c[1-2]\nNodeName=n2 State=UNKNOWN\nNodeName=DEFAULT State=UNKNOWN\nNodeName=n1`,
        ),
      ).toEqual(['n2', 'n1']);
    for (const state of ['IDLE+CLOUD+POWERED_DOWN', 'IDLE*+CLOUD', 'MIXED+CLOUD', 'FUTURE'])
      expect(
        await namesIn(
          `NodeName=c1 CPUTot=4\n   State=${state}\n\nNodeName=n1 CPUTot=4\n   State=IDLE+DYNAMIC_FUTURE\n`,
        ),
      ).toEqual(['n1']);
  });

  test('what slurmd -G prints is no source', async () => {
    const text =
      'slurmd: error: Ignoring file-less GPU gpu:a100 from final GRES list\nslurmd: Gres Name=gpu Type=a100 Count=4';
    expect(await failureOf('slurm', text)).toContain('is no line of Slurm');
    expect(await failureOf('slurm', '')).toBe('Failure: cn1.txt: there is no host in it');
  });
});

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
