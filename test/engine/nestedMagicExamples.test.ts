import { forest } from '../support/forest.js';
import { fpgas, oneNic, twoNics, zones } from '../support/forests/nestedMagic.js';
import { runExamples } from './examples.js';

const affined = `resources_COMPUTE=VCPU:2,MEMORY_MB:512&resources_ACCEL=FPGA:1`;
const twoVifs = 'resources_VIF1=SRIOV_NET_VF:1&resources_VIF2=SRIOV_NET_VF:1';
const onOneNic = `${twoVifs}&required_NIC_AFFINITY=HW_NIC_ROOT&same_subtree=_VIF1,_VIF2,_NIC_AFFINITY`;
const onTwoNets = `resources_VIF_NET1=SRIOV_NET_VF:1&required_VIF_NET1=CUSTOM_NET1
  &resources_VIF_NET2=SRIOV_NET_VF:1&required_VIF_NET2=CUSTOM_NET2`;

runExamples([
  {
    title: 'nested magic spec, same_subtree: VCPU, memory and FPGA from the same NUMA node',
    forest: fpgas,
    query: `${affined}&same_subtree=_COMPUTE,_ACCEL`,
    finds: `
      numa0 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1`,
  },
  {
    title: 'nested magic spec, same_subtree: without it the three mixed ones come too',
    forest: fpgas,
    query: affined,
    finds: `
      numa0 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1
      numa0 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1
      numa0 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1`,
  },
  {
    title: 'nested magic spec, same_subtree: each grouping is treated independently',
    forest: fpgas,
    query: `${affined}&resources_MORE=VCPU:2&resources_OTHER=FPGA:1
            &same_subtree=_COMPUTE,_ACCEL&same_subtree=_MORE,_OTHER&group_policy=isolate`,
    finds: `
      numa0 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1 + numa1 VCPU:2 + fpga1_0 FPGA:1
      numa0 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1 + numa1 VCPU:2 + fpga1_1 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1 + numa0 VCPU:2 + fpga0_0 FPGA:1
      numa1 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1 + numa0 VCPU:2 + fpga0_0 FPGA:1`,
  },
  {
    title: 'nested magic spec, resourceless request groups: two VFs from the same NIC, one on each network',
    forest: twoNics,
    query: `${onTwoNets}&required_NIC_AFFINITY=HW_NIC_ROOT&same_subtree=_VIF_NET1,_VIF_NET2,_NIC_AFFINITY`,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1 | _VIF_NET1=pf1_1 _VIF_NET2=pf1_2 _NIC_AFFINITY=nic1
      pf2_1 SRIOV_NET_VF:1 + pf2_2 SRIOV_NET_VF:1 | _VIF_NET1=pf2_1 _VIF_NET2=pf2_2 _NIC_AFFINITY=nic2`,
  },
  {
    title: 'nested magic spec, resourceless request groups: without the NIC the networks mix',
    forest: twoNics,
    query: onTwoNets,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1
      pf2_1 SRIOV_NET_VF:1 + pf2_2 SRIOV_NET_VF:1
      pf1_1 SRIOV_NET_VF:1 + pf2_2 SRIOV_NET_VF:1
      pf2_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1`,
  },
  {
    // The spec counts by what is taken. As either PF may serve either group (rule 169), it comes twice.
    title:
      'nested magic spec, group_policy + same_subtree: isolate, two VFs from different PFs on the same NIC',
    forest: oneNic,
    query: `${onOneNic}&group_policy=isolate`,
    finds: 'pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1',
    count: 2,
  },
  {
    title: 'nested magic spec, group_policy + same_subtree: none, two additional candidates on a single PF',
    forest: oneNic,
    query: `${onOneNic}&group_policy=none`,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1
      pf1_1 SRIOV_NET_VF:2
      pf1_2 SRIOV_NET_VF:2`,
    count: 4,
  },
  {
    title: 'nested magic spec, Default group_policy to none: left out it is as none (decision D3)',
    forest: oneNic,
    query: onOneNic,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1
      pf1_1 SRIOV_NET_VF:2
      pf1_2 SRIOV_NET_VF:2`,
    count: 4,
  },
]);

const hosts = 'resources=VCPU:1';
const withDisk = 'resources=VCPU:1,DISK_GB:10';

runExamples([
  {
    title:
      'nested magic spec, root_required: only multi-attach-capable hosts, whether or not the root gives anything',
    forest: zones,
    query: `${hosts}&root_required=COMPUTE_VOLUME_MULTI_ATTACH`,
    finds: `
      numa_m VCPU:1
      numa_w VCPU:1`,
  },
  {
    title: 'nested magic spec, root_required: the Windows-licensed hosts are preserved',
    forest: zones,
    query: `${hosts}&root_required=COMPUTE_VOLUME_MULTI_ATTACH,!CUSTOM_LICENSED_WINDOWS`,
    finds: 'numa_m VCPU:1',
  },
  {
    title: 'nested magic spec, root_required: the root of the non-sharing tree counts, not that of the store',
    forest: zones,
    query: `${withDisk}&root_required=COMPUTE_VOLUME_MULTI_ATTACH,!CUSTOM_LICENSED_WINDOWS`,
    finds: 'numa_m VCPU:1 + store DISK_GB:10',
  },
  {
    title:
      'nested magic spec, Principles: a trait of the root does not flow down to the child that gives the VCPU',
    forest: zones,
    query: 'resources1=VCPU:1&required1=COMPUTE_VOLUME_MULTI_ATTACH',
    finds: '',
  },
  {
    title: 'nested magic spec, root_member_of: hosts in a zone, by the root itself (decision D11)',
    forest: zones,
    query: `${hosts}&root_member_of=AZ1`,
    finds: 'numa_m VCPU:1',
  },
  {
    title: 'nested magic spec, root_member_of: not in a zone',
    forest: zones,
    query: `${hosts}&root_member_of=!AZ1`,
    finds: `
      numa_w VCPU:1
      numa_p VCPU:1`,
  },
  {
    title: 'nested magic spec, root_member_of: in: is one of several zones',
    forest: zones,
    query: `${withDisk}&root_member_of=in:AZ1,AZ2`,
    finds: `
      numa_m VCPU:1 + store DISK_GB:10
      numa_w VCPU:1 + store DISK_GB:10`,
  },
  {
    title: 'nested magic spec, root_member_of: repeated, both must hold',
    forest: zones,
    query: `${hosts}&root_member_of=in:AZ1,AZ2&root_member_of=in:AZ2,AZ3`,
    finds: 'numa_w VCPU:1',
  },
]);

/** The NIC itself has a VF, so that it could serve the resourceless group and another one at once. */
const givingNic = forest(`
  host
    nic   SRIOV_NET_VF:4  +HW_NIC_ROOT
      pf  SRIOV_NET_VF:4
`);

runExamples([
  {
    title:
      'nested magic spec, group_policy + resourceless: isolate keeps its provider from every other suffixed group',
    forest: givingNic,
    query: 'resources_V=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&same_subtree=_V,_N&group_policy=isolate',
    finds: 'pf SRIOV_NET_VF:1 | _V=pf _N=nic',
  },
  {
    title: 'nested magic spec, group_policy + resourceless: none lets its provider serve another group',
    forest: givingNic,
    query: 'resources_V=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&same_subtree=_V,_N&group_policy=none',
    finds: `
      nic SRIOV_NET_VF:1 | _V=nic _N=nic
      pf SRIOV_NET_VF:1  | _V=pf _N=nic`,
  },
  {
    title: 'nested magic spec, group_policy: the unsuffixed group is not isolated',
    forest: givingNic,
    query: 'resources=SRIOV_NET_VF:1&resources_V=SRIOV_NET_VF:1&required_V=HW_NIC_ROOT&group_policy=isolate',
    finds: `
      nic SRIOV_NET_VF:2
      pf SRIOV_NET_VF:1 + nic SRIOV_NET_VF:1`,
  },
  {
    title: 'nested magic spec, arbitrary group suffixes: case-sensitive, with _ and -, up to 64 characters',
    forest: givingNic,
    query: `resources_net-Work=SRIOV_NET_VF:1&resources_NET-work=SRIOV_NET_VF:2
            &resources${'x'.repeat(64)}=SRIOV_NET_VF:1&group_policy=none&required_net-Work=HW_NIC_ROOT
            &required_NET-work=!HW_NIC_ROOT&required${'x'.repeat(64)}=HW_NIC_ROOT`,
    finds: `
      nic SRIOV_NET_VF:2 + pf SRIOV_NET_VF:2 | _net-Work=nic _NET-work=pf ${'x'.repeat(64)}=nic`,
  },
]);
