import { expect, test } from '@jest/globals';
import { failureOf, picture, read } from '../fleets/support.js';
import { pictures, texts } from './publicFiles.js';

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

// virt-manager/virt-manager at 2450354f3 (5.1 and later): capabilities of real hosts
const CAPABILITIES = 'virt-manager/tests/data/capabilities';

test.each([
  ['kvm-x86_64', ' HW_ARCH_X86_64', ['VCPU=8 MEMORY_MB=31964']],
  ['kvm-aarch64', ' HW_ARCH_AARCH64', ['VCPU=80 MEMORY_MB=257581', 'VCPU=80 MEMORY_MB=255939']],
  // POWER counts its threads as processors, eight for each core
  ['kvm-ppc64le', ' HW_ARCH_PPC64LE', ['VCPU=48 MEMORY_MB=32582', 'VCPU=48 MEMORY_MB=32572']],
  ['kvm-s390x', ' HW_ARCH_S390X', ['VCPU=4 MEMORY_MB=2811']],
  ['kvm-loongarch64', '', ['VCPU=4 MEMORY_MB=16144']],
  // libvirt of 2009 states no memory
  ['xen-rhel5.4', ' HW_ARCH_X86_64', ['VCPU=2']],
])('libvirt: %s', async (host, arch, cells) => {
  const nodes = cells.map((amounts, at) => `  ${host}-numa${at} ${amounts} HW_NUMA_ROOT`);
  expect(await pictures('libvirt', `${CAPABILITIES}/${host}.xml`)).toEqual([
    [`${host}${arch}`, ...nodes].join('\n'),
  ]);
});

test('libvirt: the capabilities of FreeBSD have no cells', async () => {
  expect(await failureOf('libvirt', texts(`${CAPABILITIES}/bhyve.xml`))).toBe(
    'Failure: bhyve.xml, line 3: the host has no NUMA cell (<topology><cells>)',
  );
});

// libvirt/libvirt 9.0.0: capabilities of made-up hosts, and node devices
const LIBVIRT = 'libvirt/tests';

test.each([
  ['vircaps-x86_64-basic', 11],
  ['vircaps-aarch64-basic', 13],
  ['vircaps-x86_64-caches', 14],
  ['vircaps-x86_64-hmat', 14],
  ['vircaps-x86_64-resctrl-skx', 14],
])('libvirt: %s has made-up pages, larger than the memory of their cell', async (name, line) => {
  expect(await failureOf('libvirt', texts(`${LIBVIRT}/vircaps2xmldata/${name}.xml`))).toBe(
    `Failure: ${name}.xml, line ${line}: the pages of ${name}-numa0 are larger than its memory`,
  );
});

test('libvirt: of node devices, a network card without virtual functions is a device of its NUMA node', async () => {
  const devices = [
    'pci_0000_42_00_0_vpd', // a network card
    'pci_0000_00_1c_0_header_type', // a bridge
    'pci_0000_02_10_7_sriov_pf_vfs_all', // a virtual function
    'pci_8086_10c9_sriov_pf', // without a class
    'mdev_3627463d_b7f0_4fea_b468_f1da537d301b',
    'net_00_13_02_b9_f9_d3',
    'usb_device_1d6b_1_0000_00_1d_0',
    'computer',
  ].map((name) => `${LIBVIRT}/nodedevschemadata/${name}.xml`);
  const files = texts(`${CAPABILITIES}/kvm-x86_64.xml`, ...devices);
  const [tree] = await read('libvirt', files, { host: 'cn1' });
  expect(picture(tree)).toBe(
    [
      'cn1 HW_ARCH_X86_64',
      '  cn1-numa0 VCPU=8 MEMORY_MB=31964 HW_NUMA_ROOT',
      '    cn1-0000:42:00.0 PCI_DEVICE=1 CUSTOM_NIC CUSTOM_PCI_15B3_A2D6',
    ].join('\n'),
  );
});
