import { describe } from '@jest/globals';
import { forest } from '../support/forest.js';
import { fpgas, twoNics } from '../support/forests/nestedMagic.js';
import { runExamples } from './examples.js';

describe('a subtree that keeps groups out (sameSubtree.except; the nested magic spec, "Anti-affinity")', () => {
  const affined = 'resources_COMPUTE=VCPU:2,MEMORY_MB:512&resources_ACCEL=FPGA:1';

  runExamples([
    {
      title: 'same_subtree=$X,!$Y: resources from $Y shall not come from the same subtree as those from $X',
      forest: fpgas,
      query: `${affined}&same_subtree=_COMPUTE,!_ACCEL`,
      finds: `
        numa0 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1
        numa0 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1
        numa1 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1`,
    },
    {
      title: 'the other way round it keeps only those below the FPGA out, of which there are none',
      forest: fpgas,
      query: `${affined}&same_subtree=_ACCEL,!_COMPUTE`,
      finds: `
        numa0 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1
        numa0 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1
        numa0 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1
        numa1 VCPU:2 MEMORY_MB:512 + fpga0_0 FPGA:1
        numa1 VCPU:2 MEMORY_MB:512 + fpga1_0 FPGA:1
        numa1 VCPU:2 MEMORY_MB:512 + fpga1_1 FPGA:1`,
    },
    {
      title: 'two VFs behind different NICs: the NIC of one is a resourceless group that keeps the other out',
      forest: twoNics,
      query: `resources_V1=SRIOV_NET_VF:1&required_V1=CUSTOM_NET1&resources_V2=SRIOV_NET_VF:1&required_V2=CUSTOM_NET2
              &required_NIC=HW_NIC_ROOT&same_subtree=_NIC,_V1,!_V2`,
      finds: `
        pf1_1 SRIOV_NET_VF:1 + pf2_2 SRIOV_NET_VF:1 | _V1=pf1_1 _V2=pf2_2 _NIC=nic1
        pf2_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1 | _V1=pf2_1 _V2=pf1_2 _NIC=nic2`,
    },
    {
      title: 'the provider at the top is in its own subtree',
      forest: forest(`
        cn
          numa0  VCPU:4 FPGA:1
          numa1  VCPU:4 FPGA:1`),
      query: 'resources_C=VCPU:1&resources_F=FPGA:1&same_subtree=_C,!_F',
      finds: `
        numa0 VCPU:1 + numa1 FPGA:1
        numa1 VCPU:1 + numa0 FPGA:1`,
    },
    {
      title: 'a provider above the top is not in its subtree',
      forest: forest(`
        cn       FPGA:1
          numa   VCPU:4
            dev  FPGA:1`),
      query: 'resources_C=VCPU:1&resources_F=FPGA:1&same_subtree=_C,!_F',
      finds: 'numa VCPU:1 + cn FPGA:1',
    },
    {
      title: 'the subtree is that of the provider above all of the groups, not of each of them',
      forest: forest(`
        cn          VCPU:4
          nic0      CUSTOM_PORT:1
            pf0     SRIOV_NET_VF:1
          nic1      CUSTOM_PORT:1
            pf1     SRIOV_NET_VF:1
        other       VCPU:4`),
      query: `resources_C=VCPU:1&resources_P=CUSTOM_PORT:1&resources_V=SRIOV_NET_VF:1
              &same_subtree=_C,_P,!_V`,
      finds: '',
    },
    {
      title: 'each of several is kept out, and conditions are independent',
      forest: forest(`
        cn
          numa0   VCPU:4
            f0    FPGA:1
            g0    VGPU:1
          numa1   VCPU:4
            f1    FPGA:1
            g1    VGPU:1`),
      query: `resources_C=VCPU:1&resources_F=FPGA:1&resources_G=VGPU:1
              &same_subtree=_C,!_F,!_G`,
      finds: `
        numa0 VCPU:1 + f1 FPGA:1 + g1 VGPU:1
        numa1 VCPU:1 + f0 FPGA:1 + g0 VGPU:1`,
    },
    {
      title: 'one kept out and one within',
      forest: forest(`
        cn
          numa0   VCPU:4
            f0    FPGA:1
            g0    VGPU:1
          numa1   VCPU:4
            f1    FPGA:1
            g1    VGPU:1`),
      query: `resources_C=VCPU:1&resources_F=FPGA:1&resources_G=VGPU:1
              &same_subtree=_C,_G,!_F`,
      finds: `
        numa0 VCPU:1 + f1 FPGA:1 + g0 VGPU:1
        numa1 VCPU:1 + f0 FPGA:1 + g1 VGPU:1`,
    },
    {
      title: 'a sharing provider outside of the tree is in no subtree of it',
      forest: forest(`
        cn       VCPU:4               @A
          disk   DISK_GB:10
        ss       DISK_GB:10           @A sharing`),
      query: 'resources_C=VCPU:1&resources_D=DISK_GB:1&same_subtree=_C,!_D',
      finds: 'cn VCPU:1 + ss DISK_GB:1',
    },
    {
      title: 'a resourceless group may be there only to be kept out (rule 114)',
      forest: forest(`
        cn
          numa0  VCPU:4
            nic  +HW_NIC_ROOT
          numa1  VCPU:4`),
      query: 'resources_C=VCPU:1&required_N=HW_NIC_ROOT&same_subtree=_C,!_N',
      finds: 'numa1 VCPU:1 | _C=numa1 _N=nic',
    },
  ]);
});

describe('only one subtree (inSubtree; the tree document, "Support subtree filter")', () => {
  /** The provider trees guide, "Filtering by Tree", with processors below the NUMA nodes. */
  const trees = forest(`
    SS1        DISK_GB:1000          @A sharing
    SS2        DISK_GB:1000          @A sharing
    CN1        DISK_GB:1000          @A
      NUMA1_1  VCPU:4
        GPU1   VGPU:1
      NUMA1_2  VCPU:4
    CN2        DISK_GB:1000          @A
      NUMA2_1  VCPU:4
      NUMA2_2  VCPU:4
  `);

  runExamples([
    {
      title: 'NUMA1_2 is excluded, which in_tree=NUMA1_1 does not do',
      forest: trees,
      query: 'resources=VCPU:1&in_subtree=NUMA1_1',
      finds: 'NUMA1_1 VCPU:1',
    },
    {
      title: 'in_tree, for comparison',
      forest: trees,
      query: 'resources=VCPU:1&in_tree=NUMA1_1',
      finds: `
        NUMA1_1 VCPU:1
        NUMA1_2 VCPU:1`,
    },
    {
      title: 'what the subtree lacks does not come from above it',
      forest: trees,
      query: 'resources=VCPU:1,DISK_GB:50&in_subtree=NUMA1_1',
      finds: '',
    },
    {
      title: 'the subtree of a root is its tree; sharing providers are out as for in_tree',
      forest: trees,
      query: 'resources=VCPU:1,DISK_GB:50&in_subtree=CN1',
      finds: `
        NUMA1_1 VCPU:1 + CN1 DISK_GB:50
        NUMA1_2 VCPU:1 + CN1 DISK_GB:50`,
    },
    {
      title: 'descendants of any depth belong to it',
      forest: trees,
      query: 'resources=VCPU:1,VGPU:1&in_subtree=NUMA1_1',
      finds: 'NUMA1_1 VCPU:1 + GPU1 VGPU:1',
    },
    {
      title: 'of a granular group it binds that group alone',
      forest: trees,
      query: 'resources=DISK_GB:50&resources1=VCPU:1&in_subtree1=NUMA1_1',
      finds: `
        CN1 DISK_GB:50 + NUMA1_1 VCPU:1
        SS1 DISK_GB:50 + NUMA1_1 VCPU:1
        SS2 DISK_GB:50 + NUMA1_1 VCPU:1`,
    },
    {
      title: 'a granular group may be bound to a sharing provider',
      forest: trees,
      query: 'resources1=DISK_GB:50&in_subtree1=SS2&resources2=VCPU:1&in_subtree2=NUMA1_2',
      finds: 'SS2 DISK_GB:50 + NUMA1_2 VCPU:1',
    },
    {
      title: 'together with in_tree both hold',
      forest: trees,
      query: 'resources=VCPU:1&in_tree=CN1&in_subtree=NUMA1_2',
      finds: 'NUMA1_2 VCPU:1',
    },
    {
      title: 'of two trees nothing is in both',
      forest: trees,
      query: 'resources=VCPU:1&in_tree=CN2&in_subtree=NUMA1_2',
      finds: '',
    },
    {
      title: 'an unknown uuid finds nothing',
      forest: trees,
      query: 'resources=VCPU:1&in_subtree=nobody',
      finds: '',
    },
    {
      title: 'it binds a resourceless group',
      forest: forest(`
        cn
          nic0   +HW_NIC_ROOT
            pf0  SRIOV_NET_VF:1
          nic1   +HW_NIC_ROOT
            pf1  SRIOV_NET_VF:1`),
      query: 'resources_V=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&in_subtree_N=nic1&same_subtree=_V,_N',
      finds: 'pf1 SRIOV_NET_VF:1 | _V=pf1 _N=nic1',
    },
  ]);
});
