import { describe, expect, test } from '@jest/globals';
import { failureOf, only } from './support.js';

describe('hwloc', () => {
  const machine = (objects: string, rest = '', attributes = 'cpuset="0x0000000f" nodeset="0x00000003"') =>
    `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" ${attributes}><info name="HostName" value="cn1"/>${objects}</object>${rest}
</topology>`;
  const pu = (...indexes: number[]): string =>
    indexes
      .map(
        (at) => `<object type="PU" os_index="${at}" cpuset="0x${(2 ** at).toString(16).padStart(8, '0')}"/>`,
      )
      .join('');
  const numa = (index: number, cpuset: string, memory: number, inner = '', attributes = ''): string =>
    `<object type="NUMANode" os_index="${index}" cpuset="${cpuset}" local_memory="${memory}" ${attributes}>${inner}</object>`;

  test('memory is the exact number of bytes, not what lstopo prints as MB', async () => {
    // a description of 4GB is 4 * 10^9 bytes, which lstopo prints as 3815MB
    expect(await only('hwloc', machine(numa(0, '0x3', 4_000_000_000) + pu(0, 1)))).toBe(
      'cn1\n  cn1-numa0 VCPU=2 MEMORY_MB=3814 HW_NUMA_ROOT',
    );
    expect(await only('hwloc', machine(numa(0, '0x3', 2 ** 32) + pu(0, 1)))).toContain('MEMORY_MB=4096');
  });

  test('memory without processors, as after a restriction to the other package, is a provider of its own', async () => {
    const packages = `<object type="Package" os_index="0" cpuset="0x3">${numa(0, '0x3', 2 ** 30)}${pu(0, 1)}</object>
      <object type="Package" os_index="1" cpuset="0x0">${numa(1, '0x0', 2 ** 30)}</object>`;
    expect(await only('hwloc', machine(packages))).toBe(`cn1
  cn1-package0 CUSTOM_PACKAGE
    cn1-numa0 VCPU=2 MEMORY_MB=1024 HW_NUMA_ROOT
  cn1-package1 CUSTOM_PACKAGE
    cn1-numa1 MEMORY_MB=1024 HW_NUMA_ROOT CUSTOM_MEMORY_ONLY`);
  });

  test('memory attached to the processors of another node is below that node, with its tier', async () => {
    const nodes =
      numa(0, '0x3', 2 ** 30, '', 'subtype="DRAM"') + numa(1, '0x3', 2 ** 31, '', 'subtype="HBM"') + pu(0, 1);
    expect(await only('hwloc', machine(nodes))).toBe(`cn1
  cn1-numa0 VCPU=2 MEMORY_MB=1024 HW_NUMA_ROOT CUSTOM_MEMORY_DRAM
    cn1-numa1 MEMORY_MB=2048 HW_NUMA_ROOT CUSTOM_MEMORY_ONLY CUSTOM_MEMORY_HBM`);
  });

  const kind = (cpuset: string, max: number, base?: number): string =>
    `<cpukind cpuset="${cpuset}"><info name="FrequencyMaxMHz" value="${max}"/>${
      base === undefined ? '' : `<info name="FrequencyBaseMHz" value="${base}"/>`
    }</cpukind>`;

  test('kinds of processors are ranked by their maximum frequencies; equal base frequencies give no rank', async () => {
    const objects = numa(0, '0xf', 2 ** 30) + pu(0, 1, 2, 3);
    expect(await only('hwloc', machine(objects, kind('0x3', 5000) + kind('0xc', 3000)))).toBe(`cn1
  cn1-numa0 MEMORY_MB=1024 HW_NUMA_ROOT
    cn1-numa0-kind0 VCPU=2 CUSTOM_CPU_EFFICIENCY_1
    cn1-numa0-kind1 VCPU=2 CUSTOM_CPU_EFFICIENCY_0`);
    expect(await only('hwloc', machine(objects, kind('0x3', 5000, 2000) + kind('0xc', 3000, 2000)))).toBe(`cn1
  cn1-numa0 MEMORY_MB=1024 HW_NUMA_ROOT
    cn1-numa0-kind0 VCPU=2
    cn1-numa0-kind1 VCPU=2`);
  });

  test('devices are below the NUMA node of the object that has their bridge; processors that are not allowed do not count', async () => {
    const pci = (address: string, type: string, inner = ''): string =>
      `<object type="Bridge"><object type="PCIDev" pci_busid="${address}" pci_type="${type}">${inner}</object></object>`;
    const cuda = '<object type="OSDev" name="cuda0" subtype="CUDA"/>';
    const packages = `<object type="Package" os_index="0" cpuset="0x3">${numa(0, '0x3', 2 ** 30)}${pu(0, 1)}${pci(
      '0000:17:00.0',
      '0302 [10de:2330] [10de:16c1] a1',
      cuda,
    )}</object><object type="Package" os_index="1" cpuset="0xc">${numa(1, '0xc', 2 ** 30)}${pu(2, 3)}</object>
      ${pci('0000:00:1f.6', '0200 [8086:15fb]')}${pci('0000:00:1f.0', '0601 [8086:0001]')}`;
    expect(await only('hwloc', machine(packages, '', 'cpuset="0xf" allowed_cpuset="0x7"'))).toBe(`cn1
  cn1-package0 CUSTOM_PACKAGE
    cn1-numa0 VCPU=2 MEMORY_MB=1024 HW_NUMA_ROOT
      cn1-0000:17:00.0 PGPU=1 CUSTOM_GPU CUSTOM_PCI_10DE_2330 CUSTOM_OSDEV_CUDA
  cn1-package1 CUSTOM_PACKAGE
    cn1-numa1 VCPU=1 MEMORY_MB=1024 HW_NUMA_ROOT
  cn1-0000:00:1f.6 PCI_DEVICE=1 CUSTOM_NIC CUSTOM_PCI_8086_15FB`);
  });

  test('what is no topology is rejected with the file and the line', async () => {
    expect(await failureOf('hwloc', '<topology version="2.0">\n  <object type="Machine"')).toMatch(
      /^Failure: cn1.txt, line 2: it is no well-formed XML/,
    );
    expect(await failureOf('hwloc', '<other/>')).toBe(
      'Failure: cn1.txt: it is no XML of lstopo: there is no element topology',
    );
    expect(await failureOf('hwloc', machine(''))).toBe(
      'Failure: cn1.txt, line 4: the machine has no processor (PU)',
    );
    expect(await failureOf('hwloc', machine(numa(0, '0xzz', 1) + pu(0)))).toContain('cpuset is "0xzz"');
    expect(await failureOf('hwloc', machine(numa(0, '0x1', 1).replace('"1"', '"many"') + pu(0)))).toContain(
      'local_memory is "many"',
    );
    expect(await failureOf('hwloc', '')).toContain('no element topology');
  });
});

describe('libvirt', () => {
  const capabilities = (cells: string): string =>
    `<capabilities><host><uuid>x</uuid><cpu><arch>x86_64</arch></cpu><topology><cells num='1'>${cells}</cells></topology></host></capabilities>`;
  const cell = (
    id: number,
    memory: string,
    pages = '',
    cpus = "<cpus num='2'><cpu id='0'/><cpu id='1'/></cpus>",
  ): string => `<cell id='${id}'>${memory}${pages}${cpus}</cell>`;

  test('the capabilities are read, whose processors and memory node information contradicts', async () => {
    // test:///default of libvirt 9.0: node information has 3 GiB, the capabilities 6 GiB
    const text = capabilities(
      cell(0, "<memory unit='KiB'>3145728</memory>") + cell(1, '<memory>3145728</memory>'),
    );
    expect(await only('libvirt', { 'cn1.capabilities.xml': text })).toBe(`cn1 HW_ARCH_X86_64
  cn1-numa0 VCPU=2 MEMORY_MB=3072 HW_NUMA_ROOT
  cn1-numa1 VCPU=2 MEMORY_MB=3072 HW_NUMA_ROOT`);
  });

  test('large pages reserve memory, and a cell without processors has only memory', async () => {
    const pages =
      "<pages unit='KiB' size='4'>262144</pages><pages unit='KiB' size='2048'>128</pages><pages unit='KiB' size='1048576'>0</pages>";
    const text = capabilities(
      cell(0, "<memory unit='KiB'>1048576</memory>", pages) +
        cell(1, "<memory unit='GiB'>1</memory>", '', ''),
    );
    expect(await only('libvirt', text, { host: 'cn1' })).toBe(`cn1 HW_ARCH_X86_64
  cn1-numa0 VCPU=2 MEMORY_MB=1024-256 CUSTOM_MEMORY_PAGES_2048KIB=128 HW_NUMA_ROOT
  cn1-numa1 MEMORY_MB=1024 HW_NUMA_ROOT CUSTOM_MEMORY_ONLY`);
  });

  const device = (bus: number, index: number, classCode: string, inner = ''): string =>
    `<device><name>pci</name><capability type='pci'><class>${classCode}</class><domain>0</domain><bus>${bus}</bus><slot>0</slot><function>${index}</function>
    <product id='0x2330'>x</product><vendor id='0x10de'>NVIDIA</vendor><numa node='0'/>${inner}</capability></device>`;
  const mdev = (...types: string[]): string =>
    `<capability type='mdev_types'>${types.map((id) => `<type id='${id}'><availableInstances>4</availableInstances></type>`).join('')}</capability>`;

  test('PCI functions and types of virtual GPUs are below their cell', async () => {
    const functions =
      "<capability type='virt_functions' maxCount='8'><address domain='0x0000' bus='0x03' slot='0x00' function='0x1'/><address domain='0x0000' bus='0x03' slot='0x00' function='0x2'/></capability>";
    const physical =
      "<capability type='phys_function'><address domain='0x0000' bus='0x03' slot='0x00' function='0x0'/></capability>";
    const files = {
      'cn1.capabilities.xml': capabilities(cell(0, '<memory>1048576</memory>')),
      'cn1.devices.xml':
        device(129, 0, '0x030200', mdev('nvidia-35')) +
        device(130, 0, '0x030200', mdev('nvidia-35', 'nvidia-36')) +
        device(3, 0, '0x020000', functions) +
        device(3, 1, '0x020000', physical) +
        device(0, 0, '0x060000'),
    };
    expect(await only('libvirt', files)).toBe(`cn1 HW_ARCH_X86_64
  cn1-numa0 VCPU=2 MEMORY_MB=1024 HW_NUMA_ROOT
    cn1-0000:81:00.0 VGPU=4 maxUnit 1 CUSTOM_GPU CUSTOM_PCI_10DE_2330 CUSTOM_VGPU_NVIDIA_35
    cn1-0000:82:00.0 PGPU=1 CUSTOM_GPU CUSTOM_PCI_10DE_2330
    cn1-0000:03:00.0 SRIOV_NET_VF=2 CUSTOM_NIC CUSTOM_PCI_10DE_2330`);
    expect(await only('libvirt', files, { vgpuType: 'nvidia-36' })).toContain(
      '82:00.0 VGPU=4 maxUnit 1 CUSTOM_GPU CUSTOM_PCI_10DE_2330 CUSTOM_VGPU_NVIDIA_36',
    );
  });

  test('virtual GPUs in use belong to the total of their GPU', async () => {
    const used = (uuid: string, parent: string, type: string): string =>
      `<device><name>mdev_${uuid}</name><parent>${parent}</parent><capability type='mdev'><type id='${type}'/><iommuGroup number='1'/></capability></device>`;
    const mine = [0, 1].map((at) => used(`a${at}`, 'pci_0000_81_00_0', 'nvidia-35'));
    const others = used('b', 'pci_0000_82_00_0', 'nvidia-35') + used('c', 'pci_0000_81_00_0', 'nvidia-36');
    const gpu = (left: number): string =>
      device(129, 0, '0x030200', mdev('nvidia-35')).replace('>4<', `>${left}<`);
    const withDevices = (devices: string) =>
      only('libvirt', {
        'cn1.capabilities.xml': capabilities(cell(0, '<memory>1048576</memory>')),
        'cn1.devices.xml': devices,
      });
    const unused = await withDevices(gpu(2));
    expect(unused).toContain('VGPU=2 maxUnit 1');
    expect(await withDevices(gpu(1) + mine[0] + others)).toBe(unused);
    expect(await withDevices(mine.join('') + gpu(0))).toBe(unused);
    expect(await withDevices(`<devices>${mine[0]}${gpu(1)}${mine[0]}</devices>`)).toBe(unused);
    expect(await withDevices(gpu(0) + others)).not.toContain('VGPU');
  });

  test('malformed files are rejected with their line', async () => {
    expect(await failureOf('libvirt', capabilities(''))).toContain('the host has no NUMA cell');
    expect(await failureOf('libvirt', capabilities(cell(0, "<memory unit='furlong'>1</memory>")))).toContain(
      '"1" furlong is no size',
    );
    expect(await failureOf('libvirt', device(1, 0, '0x030000'))).toBe(
      'Failure: cn1.txt: the host cn1 has no <capabilities>',
    );
    expect(await failureOf('libvirt', '<domain/>')).toBe(
      'Failure: cn1.txt, line 1: <domain> is neither <capabilities> nor <device> of libvirt',
    );
  });
});

describe('nova', () => {
  const provider = (body: string, version = "'1.0'"): string =>
    `meta:\n  schema_version: ${version}\nproviders:\n${body}`;
  const entry = (identification: string, rest = ''): string =>
    `  - identification: { ${identification} }\n${rest}`;

  test('custom inventories and traits are added to the provider', async () => {
    const inventories = `    inventories:\n      additional:\n        - CUSTOM_LLC: { total: 22, reserved: 2, min_unit: 1, max_unit: 11, step_size: 1, allocation_ratio: 1.5 }\n`;
    const text = provider(
      entry('name: cn1', `${inventories}    traits: { additional: [CUSTOM_A] }\n    anything: 1\n`),
    );
    expect(await only('nova', text)).toBe(
      'cn1 CUSTOM_LLC=22-2 minUnit 1 maxUnit 11 stepSize 1 allocationRatio 1.5 CUSTOM_A',
    );
    expect(
      await only(
        'nova',
        provider(entry("uuid: '$COMPUTE_NODE'", '    traits: { additional: [CUSTOM_A] }\n')),
        { host: 'cn2' },
      ),
    ).toBe('cn2 CUSTOM_A');
  });

  test('what Nova refuses or Placement would refuse is rejected with its path', async () => {
    const inventory = (amounts: string) =>
      provider(entry('name: cn1', `    inventories: { additional: [{ CUSTOM_A: { ${amounts} } }] }\n`));
    expect(await failureOf('nova', provider(entry('name: cn1'), '1.0'))).toBe(
      "Failure: cn1.txt, meta.schema_version: it is 1: it must be a text, such as '1.0'",
    );
    expect(await failureOf('nova', inventory('total: -1'))).toBe(
      'Failure: cn1.txt, providers[0].inventories.additional[0].CUSTOM_A.total: it is -1: it must be a whole number from 1 to 2147483647',
    );
    expect(await failureOf('nova', inventory('total: 1, step_size: 0'))).toContain('step_size: it is 0');
    expect(await failureOf('nova', inventory('total: 4294967296'))).toContain('total: it is 4294967296');
    expect(
      await failureOf(
        'nova',
        provider(entry('name: cn1', '    traits: { additional: [HW_CPU_X86_AVX2] }\n')),
      ),
    ).toContain('Nova adds only custom traits, not "HW_CPU_X86_AVX2"');
    expect(
      await failureOf('nova', provider(entry('name: cn1') + entry("uuid: '$COMPUTE_NODE'")), { host: 'cn1' }),
    ).toBe('Failure: cn1.txt, providers[1]: it is the same provider as providers[0]: cn1');
    expect(await failureOf('nova', provider(entry('name: cn1, uuid: x')))).toContain(
      'exactly one of name and uuid',
    );
    expect(await failureOf('nova', '- a')).toContain('it is no provider.yaml');
  });

  const pci = (bus: string, index = 0, inner = ''): string =>
    `<device><capability type='pci'><class>0x030200</class><domain>0</domain><bus>${bus}</bus><slot>0</slot><function>${index}</function><product id='0x2330'/><vendor id='0x10de'/>${inner}</capability></device>`;
  const conf = (...specs: object[]): string =>
    `[pci]\n${specs.map((spec) => `device_spec = ${JSON.stringify(spec)}\n`).join('')}`;
  const managed = 'COMPUTE_MANAGED_PCI_DEVICE OWNER_NOVA';
  const withDevices = (spec: object) => ({
    'nova.conf': conf(spec),
    'devices.xml': pci('129') + pci('0x08'),
  });

  test('the class of a device_spec is looked up in upper case, a trait as it is written, with its blanks', async () => {
    const spec = {
      vendor_id: '10de',
      resource_class: 'pgpu',
      traits: 'HW_GPU_API_VULKAN, b,hw_gpu_api_vulkan',
      address: '0000:81:00.0',
    };
    expect(await only('nova', withDevices(spec), { host: 'cn1' })).toBe(
      `cn1\n  cn1_0000:81:00.0 PGPU=1 HW_GPU_API_VULKAN CUSTOM__B CUSTOM_HW_GPU_API_VULKAN ${managed}`,
    );
    expect(
      await only('nova', withDevices({ resource_class: 'gold', address: '*:81:00.*' }), { host: 'cn1' }),
    ).toContain('CUSTOM_GOLD=1');
    expect(
      await only('nova', withDevices({ product_id: '2330', address: '0:81:0.0' }), { host: 'cn1' }),
    ).toContain('CUSTOM_PCI_10DE_2330=1');
  });

  test('an expression of the mapping form matches a prefix; the text form compares numbers', async () => {
    expect(await only('nova', withDevices({ address: { bus: '8' } }), { host: 'cn1' })).toMatch(
      /^cn1\n {2}cn1_0000:81:00.0 .*$/,
    );
    expect(await only('nova', withDevices({ address: '0000:8:0.0' }), { host: 'cn1' })).toMatch(
      /^cn1\n {2}cn1_0000:08:00.0 .*$/,
    );
  });

  const physical =
    "<capability type='phys_function'><address domain='0x0000' bus='0x81' slot='0x00' function='0x0'/></capability>";
  const functions = (...specs: object[]) => ({
    'nova.conf': conf(...specs),
    'devices.xml': pci('129') + pci('129', 1, physical) + pci('129', 2, physical),
  });

  test('blank and omitted parts of an address are any; devices of Neutron are omitted', async () => {
    for (const address of ['0000:81:', '81:', ':81:00', '*:81:*', '81:00.'])
      expect(await only('nova', withDevices({ address }), { host: 'cn1' })).toBe(
        `cn1\n  cn1_0000:81:00.0 CUSTOM_PCI_10DE_2330=1 ${managed}`,
      );
    for (const address of ['0:0:0:0', '0000:81:20.0', '0000:81:00.8', 'x:81:'])
      expect(await failureOf('nova', withDevices({ address }), { host: 'cn1' })).toContain('is malformed');
    expect(await only('nova', withDevices({ physical_network: 'net1' }), { host: 'cn1' })).toBe('cn1');
  });

  test('virtual functions are counted at their physical function', async () => {
    const some = { address: '0000:81:00.[1-2]' };
    expect(await failureOf('nova', functions(some), { host: 'cn1' })).toContain('is malformed');
    const specs = ['1', '2'].map((index) => ({
      address: `0000:81:00.${index}`,
      resource_class: 'CUSTOM_VF',
    }));
    expect(await only('nova', functions(...specs), { host: 'cn1' })).toBe(
      `cn1\n  cn1_0000:81:00.0 CUSTOM_VF=2 ${managed}`,
    );
  });

  test('a device beside its virtual functions, and functions that differ, are rejected as by Nova', async () => {
    // an address of one device also selects its virtual functions, and one with * does not
    for (const address of ['0000:81:00.0', '0000:81:00.*'])
      expect(await failureOf('nova', functions({ address }), { host: 'cn1' })).toBe(
        'Failure: nova.conf: device_spec selects cn1_0000:81:00.0 and its virtual functions',
      );
    expect(await only('nova', functions({ address: '*:*:*.0' }), { host: 'cn1' })).toBe(
      `cn1\n  cn1_0000:81:00.0 CUSTOM_PCI_10DE_2330=1 ${managed}`,
    );
    const different = functions(
      { address: '0000:81:00.1', resource_class: 'A' },
      { address: '0000:81:00.2', resource_class: 'B' },
    );
    expect(await failureOf('nova', different, { host: 'cn1' })).toBe(
      'Failure: nova.conf: the virtual functions of cn1_0000:81:00.0 have different classes or traits',
    );
  });

  test('$COMPUTE_NODE in place of a name is the compute node', async () => {
    expect(await only('nova', provider(entry("name: '$COMPUTE_NODE'")), { host: 'cn1' })).toBe('cn1');
  });
});
