import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { SourceName } from '../../src/command/fleetSources/sources.js';
import { failureOf, picture, read } from '../fleets/support.js';

/** A folder with a checkout of each project, or with the files that the tests name. */
const folder = process.env.FLEET_FILES;
if (folder === undefined || !existsSync(folder))
  throw new Error('FLEET_FILES must name a folder with the public files that this suite reads');

/** Reads files of `FLEET_FILES`. */
function texts(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    paths.map((path) => [path.replace(/^.*\//, ''), readFileSync(join(folder!, path), 'utf8')]),
  );
}

const pictures = async (source: SourceName, ...paths: string[]): Promise<string[]> =>
  (await read(source, texts(...paths))).map(picture);

// open-mpi/hwloc at 3b37b024a (2.9 and later)
const HWLOC = 'hwloc/tests/hwloc/xml';
const pci = (host: string, kind: string, ids: string, ...addresses: string[]): string[] =>
  addresses.map((address) => `      ${host}-${address} ${kind} CUSTOM_PCI_${ids}`);

test.each([
  [
    'nvidiaDGX2',
    [
      'nvidiaDGX2',
      '  nvidiaDGX2-package0 CUSTOM_PACKAGE',
      '    nvidiaDGX2-numa0 VCPU=2 MEMORY_MB=772699 HW_NUMA_ROOT',
      ...pci(
        'nvidiaDGX2',
        'PGPU=1 CUSTOM_GPU',
        '10DE_1DB8',
        ...['34', '36', '39', '3b', '57', '59', '5c', '5e'].map((bus) => `0000:${bus}:00.0`),
      ),
      '  nvidiaDGX2-package1 CUSTOM_PACKAGE',
      '    nvidiaDGX2-numa1 VCPU=2 MEMORY_MB=774133 HW_NUMA_ROOT',
      ...pci(
        'nvidiaDGX2',
        'PGPU=1 CUSTOM_GPU',
        '10DE_1DB8',
        ...['b7', 'b9', 'bc', 'be', 'e0', 'e2', 'e5', 'e7'].map((bus) => `0000:${bus}:00.0`),
      ),
    ],
  ],
  [
    'fakecpukinds',
    [
      'fakecpukinds',
      '  fakecpukinds-numa0 HW_NUMA_ROOT',
      '    fakecpukinds-numa0-kind0 VCPU=2 CUSTOM_CPU_MYSMALLCORE CUSTOM_CPU_EFFICIENCY_0',
      '    fakecpukinds-numa0-kind1 VCPU=1 CUSTOM_CPU_YOUBIGCORE CUSTOM_CPU_EFFICIENCY_1',
      '    fakecpukinds-numa0-kind2 VCPU=1 CUSTOM_CPU_INTELCORE CUSTOM_CPU_EFFICIENCY_2',
    ],
  ],
  [
    'memorysidecaches',
    [
      'leonide',
      '  leonide-package0 CUSTOM_PACKAGE',
      '    leonide-numa0 VCPU=20 MEMORY_MB=379387 HW_NUMA_ROOT',
      '    leonide-numa2 VCPU=20 MEMORY_MB=381019 HW_NUMA_ROOT',
      '  leonide-package1 CUSTOM_PACKAGE',
      '    leonide-numa1 VCPU=20 MEMORY_MB=381019 HW_NUMA_ROOT',
      '    leonide-numa3 VCPU=20 MEMORY_MB=381018 HW_NUMA_ROOT',
    ],
  ],
  [
    // the memory of some allowed processors is not allowed, and two allowed nodes have no allowed processor
    '16amd64-8n2c-cpusets',
    [
      '16amd64-8n2c-cpusets VCPU=6',
      '  16amd64-8n2c-cpusets-package1 CUSTOM_PACKAGE',
      '    16amd64-8n2c-cpusets-numa1 VCPU=2 MEMORY_MB=8192 HW_NUMA_ROOT',
      '  16amd64-8n2c-cpusets-package2 CUSTOM_PACKAGE',
      '    16amd64-8n2c-cpusets-numa2 VCPU=1 MEMORY_MB=8192 HW_NUMA_ROOT',
      '  16amd64-8n2c-cpusets-package3 CUSTOM_PACKAGE',
      '    16amd64-8n2c-cpusets-numa3 VCPU=1 MEMORY_MB=8192 HW_NUMA_ROOT',
      '  16amd64-8n2c-cpusets-numa5 MEMORY_MB=8192 HW_NUMA_ROOT CUSTOM_MEMORY_ONLY',
      '  16amd64-8n2c-cpusets-numa4 MEMORY_MB=8192 HW_NUMA_ROOT CUSTOM_MEMORY_ONLY',
    ],
  ],
])('hwloc: %s', async (name, lines) => {
  expect(await pictures('hwloc', `${HWLOC}/${name}.xml`)).toEqual([lines.join('\n')]);
});

test('hwloc: 32em64t-2n8c2t-pci-wholeio has no GPU of its management controller', async () => {
  const [tree] = await pictures('hwloc', `${HWLOC}/32em64t-2n8c2t-pci-wholeio.xml`);
  expect(tree).toContain('\n    conan-numa0 VCPU=16 MEMORY_MB=32739 HW_NUMA_ROOT\n');
  expect(tree).toContain('\n    conan-numa1 VCPU=16 MEMORY_MB=32768 HW_NUMA_ROOT\n');
  expect(tree.match(/PGPU=1/g)).toHaveLength(4);
  expect(tree).not.toContain('102B'); // Matrox
});

// SchedMD/slurm at 284c3b95f (25.05 and later)
const SLURM = 'slurm/testsuite';

test.each([
  // two sockets of four or eight processors; two lines of gres.conf describe the eight devices of each node
  ['test7.17.1', 8],
  ['test7.17.2', 16],
  ['test7.17.4', 8],
])('slurm: %s has ten nodes with eight GPUs', async (name, processors) => {
  const path = `${SLURM}/expect/test7.17_configs/${name}`;
  const found = await pictures('slurm', `${path}/slurm.conf`, `${path}/gres.conf`);
  expect(found).toEqual(
    Array.from(
      { length: 10 },
      (_, at) => `test_node${at} VCPU=${processors} MEMORY_MB=1\n  test_node${at}-gpu PGPU=8`,
    ),
  );
});

test('slurm: blocks are aggregates', async () => {
  const path = `${SLURM}/python/check/topology`;
  const found = await pictures('slurm', `${path}/slurm.conf`, `${path}/topology.conf`);
  expect(found).toEqual(
    Array.from({ length: 32 }, (_, at) => {
      const name = `node${String(at + 1).padStart(2, '0')}`;
      return `${name} VCPU=1 MEMORY_MB=2000 CUSTOM_BLOCK @b${1 + Math.floor(at / 4)}`;
    }),
  );
});

test('slurm: 10,000 nodes are below three levels of switches', async () => {
  const path = `${SLURM}/python/tests/test_133_1_testcases/testcase1`;
  const found = await pictures('slurm', `${path}/slurm.conf`, `${path}/topology.conf`);
  expect(found).toHaveLength(10_000);
  expect(found[0]).toBe('peta10000 VCPU=1 MEMORY_MB=1 @root @im0 @grp10 @leaf100');
});

// libvirt/libvirt at 5fc56aefb (and 6af062323 for the file without pages)
const LIBVIRT = 'libvirt/tests/vircaps2xmldata';

test('libvirt: vircaps-basic-4-4-2G', async () => {
  const host = 'vircaps-basic-4-4-2G';
  expect(await pictures('libvirt', `${LIBVIRT}/${host}.xml`)).toEqual([
    [
      `${host} HW_ARCH_X86_64`,
      ...[0, 1, 2, 3].map((cell) => `  ${host}-numa${cell} VCPU=4 MEMORY_MB=2048 HW_NUMA_ROOT`),
    ].join('\n'),
  ]);
});

test.each([
  'vircaps-x86_64-basic',
  'vircaps-aarch64-basic',
  'vircaps-x86_64-hmat',
  'vircaps-x86_64-resctrl-skx',
])('libvirt: %s has made-up pages, larger than the memory of their cell', async (name) => {
  expect(await failureOf('libvirt', texts(`${LIBVIRT}/${name}.xml`))).toBe(
    `Failure: ${name}.xml, line ${name.includes('basic') ? (name.includes('aarch64') ? 12 : 10) : 13}: the pages of ${name}-numa0 are larger than its memory`,
  );
});
