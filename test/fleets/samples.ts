import type { SourceName } from '../../src/command/fleetSources/sources.js';

/** Small files of each source with most of what its parser reads. */
export const SAMPLES: Readonly<Record<SourceName, Readonly<Record<string, string>>>> = {
  hwloc: {
    'cn1.xml': `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x0000000f" allowed_cpuset="0x0000000f"><info name="HostName" value="cn1"/>
    <object type="Package" os_index="0" cpuset="0x00000003">
      <object type="NUMANode" os_index="0" cpuset="0x00000003" local_memory="4000000000"><page_type size="4096" count="976562"/></object>
      <object type="PU" os_index="0" cpuset="0x00000001"/><object type="PU" os_index="1" cpuset="0x00000002"/>
      <object type="Bridge"><object type="PCIDev" pci_busid="0000:17:00.0" pci_type="0302 [10de:2330] [10de:16c1] a1"><object type="OSDev" name="cuda0" subtype="CUDA"/></object></object>
    </object>
    <object type="Package" os_index="1" cpuset="0x0000000c">
      <object type="NUMANode" os_index="1" cpuset="0x0000000c" local_memory="4294967296" subtype="DRAM"/>
      <object type="PU" os_index="2" cpuset="0x00000004"/><object type="PU" os_index="3" cpuset="0x00000008"/>
    </object>
  </object>
  <cpukind cpuset="0x00000003"><info name="FrequencyMaxMHz" value="5000"/></cpukind>
  <cpukind cpuset="0x0000000c"><info name="FrequencyMaxMHz" value="3000"/></cpukind>
</topology>
`,
  },
  kubernetes: {
    'cluster.json': JSON.stringify(
      {
        kind: 'List',
        items: [
          {
            kind: 'Node',
            metadata: {
              name: 'n1',
              labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.io/arch': 'amd64' },
            },
            spec: { unschedulable: true },
            status: {
              allocatable: { cpu: '3920m', memory: '16179872Ki', pods: '110', 'hugepages-2Mi': '1Gi' },
            },
          },
          {
            kind: 'ResourceSlice',
            spec: {
              driver: 'gpu.nvidia.com',
              nodeName: 'n1',
              pool: { name: 'n1', generation: 1 },
              devices: [
                {
                  name: 'gpu-0',
                  basic: { attributes: { numaNode: { int: 1 }, productName: { string: 'H100' } } },
                },
                {
                  name: 'mig-0',
                  consumesCounters: [{ counterSet: 'set', counters: { memory: { value: '10Gi' } } }],
                },
              ],
              sharedCounters: [{ name: 'set', counters: { memory: { value: '80Gi' } } }],
            },
          },
        ],
      },
      null,
      1,
    ),
  },
  csv: {
    'fleet.csv':
      'host,class,total,reserved,ratio,traits,aggregates\ncn1,VCPU,16,2,4,CUSTOM_A;CUSTOM_B,rack-1\ncn1,MEMORY_MB,64G,,,,\n"cn2",VCPU,8,,1.5,,\n',
  },
  slurm: {
    'slurm.conf':
      'NodeName=DEFAULT CPUs=8 RealMemory=1024 CoreSpecCount=1 \\\n  TmpDisk=10240\nNodeName=n[01-12] Features=fast,ib Gres=gpu:a100:4(S:0-1),shard:2K\n',
    'gres.conf': 'NodeName=n[01-02] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n',
    'topology.conf':
      'SwitchName=leaf1 Nodes=n[01-06]\nSwitchName=leaf2 Nodes=n[07-12]\nSwitchName=top Switches=leaf[1-2]\n',
  },
  libvirt: {
    'cn1.capabilities.xml': `<capabilities><host><cpu><arch>x86_64</arch></cpu><topology><cells num='2'>
  <cell id='0'><memory unit='KiB'>1048576</memory><pages unit='KiB' size='4'>131072</pages><pages unit='KiB' size='2048'>128</pages><cpus num='2'><cpu id='0'/><cpu id='1'/></cpus></cell>
  <cell id='1'><memory unit='KiB'>1048576</memory></cell></cells></topology></host></capabilities>
`,
    'cn1.devices.xml': `<device><name>pci</name><capability type='pci'><class>0x030200</class><domain>0</domain><bus>129</bus><slot>0</slot><function>0</function><product id='0x2330'/><vendor id='0x10de'/><numa node='0'/><capability type='mdev_types'><type id='nvidia-35'><availableInstances>4</availableInstances></type></capability></capability></device>
`,
  },
  nova: {
    'provider.yaml': `meta:
  schema_version: '1.0'
providers:
  - identification: { uuid: '$COMPUTE_NODE' }
    inventories:
      additional:
        - CUSTOM_LLC: { total: 22, reserved: 2, min_unit: 1, max_unit: 11, step_size: 1, allocation_ratio: 1.5 }
    traits: { additional: [CUSTOM_A] }
`,
    'nova.conf':
      '[pci]\ndevice_spec = {"vendor_id": "10de", "resource_class": "pgpu", "traits": "HW_GPU_API_VULKAN, b", "address": "0000:81:00.*"}\n',
    'devices.xml': `<device><capability type='pci'><class>0x030200</class><domain>0</domain><bus>129</bus><slot>0</slot><function>0</function><product id='0x2330'/><vendor id='0x10de'/></capability></device>
`,
  },
};
