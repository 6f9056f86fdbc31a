import { describe, expect, test } from '@jest/globals';
import { expandHosts } from '../../src/command/fleetSources/hostList.js';
import { failureOf, notesOf, only, read, picture } from './support.js';

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
