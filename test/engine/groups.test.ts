import { describe } from '@jest/globals';
import { forest } from '../support/forest.js';
import { runExamples } from './examples.js';

describe('granular groups', () => {
  const host = forest(`
    cn       VCPU:8 MEMORY_MB:512              +CUSTOM_GOLD  @A
      numa0  VCPU:8 SRIOV_NET_VF:2             +CUSTOM_RED
      numa1  VCPU:8 SRIOV_NET_VF:2             +CUSTOM_RED +CUSTOM_BLUE  @B
  `);

  runExamples([
    {
      title: 'rule 129: one provider fits all classes of the group',
      forest: host,
      query: 'resources1=VCPU:1,SRIOV_NET_VF:1',
      finds: `
        numa0 VCPU:1 SRIOV_NET_VF:1
        numa1 VCPU:1 SRIOV_NET_VF:1`,
    },
    {
      title: 'rule 129: one provider meets every set of alternatives, has nothing forbidden',
      forest: host,
      query: `resources1=VCPU:1&required1=in:CUSTOM_RED,CUSTOM_GOLD&required1=in:CUSTOM_RED,CUSTOM_BLUE
              &required1=!CUSTOM_BLUE`,
      finds: 'numa0 VCPU:1',
    },
    {
      title: 'rule 129: member_of is AND of ORs over direct membership',
      forest: host,
      query: 'resources1=VCPU:1&member_of1=in:A,B&member_of1=in:B,C',
      finds: 'numa1 VCPU:1',
    },
    {
      title: 'rule 130: the aggregates of the root neither admit nor exclude a child',
      forest: host,
      query: 'resources1=VCPU:1&member_of1=!A',
      finds: `
        numa0 VCPU:1
        numa1 VCPU:1`,
    },
    {
      title: 'rule 122: required and forbidden, an aggregate matches nothing',
      forest: host,
      query: 'resources1=VCPU:1&member_of1=A&member_of1=!A',
      finds: '',
    },
    {
      title: 'rule 120: a set of alternatives may be forbidden in part',
      forest: host,
      query: 'resources1=VCPU:1&required1=in:CUSTOM_GOLD,CUSTOM_RED&required1=!CUSTOM_GOLD,!CUSTOM_BLUE',
      finds: 'numa0 VCPU:1',
    },
    {
      title: 'rule 123: an unknown aggregate finds nothing',
      forest: host,
      query: 'resources1=VCPU:1&member_of1=NOBODY',
      finds: '',
    },
    {
      title: 'rule 123: unless a known one is an alternative; forbidden it does nothing',
      forest: host,
      query: 'resources1=VCPU:1&member_of1=in:B,NOBODY&member_of1=!NOBODY',
      finds: 'numa1 VCPU:1',
    },
    {
      title: 'rule 124: in_tree of an unknown provider finds nothing',
      forest: host,
      query: 'resources1=VCPU:1&in_tree1=nobody',
      finds: '',
    },
    {
      title: 'rule 134: a resourceless group may be served by a provider that has nothing to give',
      forest: forest(`
        cn
          nic   +HW_NIC_ROOT
            pf  SRIOV_NET_VF:1`),
      query: 'resources_V=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&same_subtree=_V,_N',
      finds: 'pf SRIOV_NET_VF:1 | _V=pf _N=nic',
    },
    {
      title: 'rule 135: a resourceless group with forbidden traits only is any provider without them',
      forest: host,
      query: 'resources_V=SRIOV_NET_VF:1&required_V=!CUSTOM_BLUE&required_N=!CUSTOM_RED&same_subtree=_V,_N',
      finds: 'numa0 SRIOV_NET_VF:1 | _V=numa0 _N=cn',
    },
    {
      title: 'rule 135: a resourceless group with forbidden aggregates only is any provider outside of them',
      forest: host,
      query: 'resources_V=MEMORY_MB:1&member_of_N=!A,!B&same_subtree=_V,_N',
      finds: 'cn MEMORY_MB:1 | _V=cn _N=numa0',
    },
    {
      title: 'rule 136: in_tree binds a resourceless group with other constraints',
      forest: forest(`
        one     +HW_NIC_ROOT
          pf1   SRIOV_NET_VF:1
        two     +HW_NIC_ROOT
          pf2   SRIOV_NET_VF:1`),
      query: 'resources_V=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&in_tree_N=pf2&same_subtree=_V,_N',
      finds: 'pf2 SRIOV_NET_VF:1 | _V=pf2 _N=two',
    },
    {
      title: 'rule 135: a resourceless group with in_tree only is any provider of that tree',
      forest: forest(`
        one    SRIOV_NET_VF:1
        two    SRIOV_NET_VF:1
          sub`),
      query: 'resources_V=SRIOV_NET_VF:1&in_tree_N=sub&same_subtree=_V,_N',
      finds: `
        two SRIOV_NET_VF:1 | _V=two _N=two
        two SRIOV_NET_VF:1 | _V=two _N=sub`,
    },
  ]);
});

describe('the unsuffixed group', () => {
  const host = forest(`
    cn       MEMORY_MB:512                +CUSTOM_ROOT
      numa0  VCPU:4                       +CUSTOM_AVX
      numa1  VCPU:4
      gpu    VGPU:1                       +CUSTOM_CUDA  @C
  `);

  runExamples([
    {
      title: 'rule 137: an amount is never split over providers',
      forest: host,
      query: 'resources=VCPU:5',
      finds: '',
    },
    {
      title: 'rule 139: every combination of providers of the tree',
      forest: host,
      query: 'resources=VCPU:4,VGPU:1,MEMORY_MB:512',
      finds: `
        numa0 VCPU:4 + gpu VGPU:1 + cn MEMORY_MB:512
        numa1 VCPU:4 + gpu VGPU:1 + cn MEMORY_MB:512`,
    },
    {
      title: 'rule 140: the contributing providers have the required traits together',
      forest: host,
      query: 'resources=VCPU:1,VGPU:1&required=CUSTOM_AVX,CUSTOM_CUDA',
      finds: 'numa0 VCPU:1 + gpu VGPU:1',
    },
    {
      title: 'rule 140: each set of alternatives by any of them',
      forest: host,
      query: 'resources=VCPU:1,VGPU:1&required=in:CUSTOM_AVX,CUSTOM_ROOT&required=in:CUSTOM_CUDA,CUSTOM_ROOT',
      finds: 'numa0 VCPU:1 + gpu VGPU:1',
    },
    {
      title: 'rule 140: the trait of a root that contributes nothing does not count',
      forest: host,
      query: 'resources=VCPU:1&required=CUSTOM_ROOT',
      finds: '',
    },
    {
      title: 'rule 140: the trait of a root that contributes does',
      forest: host,
      query: 'resources=VCPU:1,MEMORY_MB:1&required=CUSTOM_ROOT',
      finds: `
        numa0 VCPU:1 + cn MEMORY_MB:1
        numa1 VCPU:1 + cn MEMORY_MB:1`,
    },
    {
      title: 'rule 141: a forbidden trait on a provider that contributes nothing does not matter',
      forest: host,
      query: 'resources=VCPU:1&required=!CUSTOM_ROOT,!CUSTOM_CUDA,!CUSTOM_AVX',
      finds: 'numa1 VCPU:1',
    },
    {
      title: 'rule 146: nor does a forbidden aggregate, unless on the root',
      forest: host,
      query: 'resources=VCPU:1&member_of=!C',
      finds: `
        numa0 VCPU:1
        numa1 VCPU:1`,
    },
    {
      title: 'rule 124: in_tree of an unknown provider finds nothing',
      forest: host,
      query: 'resources=VCPU:1&in_tree=nobody',
      finds: '',
    },
  ]);
});

describe('groups together', () => {
  const numa = forest(`
    cn          VCPU:2
      numa0     VCPU:2
        gpu0    VGPU:1
          vf0   SRIOV_NET_VF:1
        gpu1    VGPU:1
      numa1     VCPU:2
        gpu2    VGPU:1
    other       VCPU:2 VGPU:1
  `);

  runExamples([
    {
      title: 'rule 153: providers of two trees never appear together',
      forest: numa,
      query: 'resources1=VCPU:1&in_tree1=cn&resources2=VGPU:1&in_tree2=other',
      finds: '',
    },
    {
      title: 'rule 148: in_tree of one group binds the other by the common anchor alone',
      forest: numa,
      query: 'resources1=VGPU:1&in_tree1=other&resources=VCPU:2',
      finds: 'other VGPU:1 VCPU:2',
    },
    {
      title: 'rules 156 and 159: amounts are always the sum of the groups, isolated or not',
      forest: forest(`
        cn
          numa0  VCPU:4
          numa1  VCPU:4`),
      query: 'resources=VCPU:1&resources1=VCPU:1&group_policy=isolate',
      finds: `
        numa0 VCPU:2 | =numa0 1=numa0
        numa1 VCPU:2 | =numa1 1=numa1
        numa0 VCPU:1 + numa1 VCPU:1 | =numa0 1=numa1
        numa0 VCPU:1 + numa1 VCPU:1 | =numa1 1=numa0`,
    },
    {
      title: 'rules 157 and 158: the sum counts with what is used',
      forest: forest(`
        cn
          numa0  VCPU:4(used=2)
          numa1  VCPU:4(used=3)`),
      query: 'resources1=VCPU:1&resources2=VCPU:1',
      finds: `
        numa0 VCPU:2
        numa0 VCPU:1 + numa1 VCPU:1`,
      count: 3,
    },
    {
      title: 'rule 157: the sum stays within max_unit',
      forest: forest(`
        cn
          numa0  VCPU:8(max=2)
          numa1  VCPU:8(max=3)`),
      query: 'resources1=VCPU:1&resources2=VCPU:2',
      finds: `
        numa1 VCPU:3
        numa0 VCPU:1 + numa1 VCPU:2
        numa0 VCPU:2 + numa1 VCPU:1`,
    },
    {
      title: 'rule 164: siblings are no subtree, even under a common parent',
      forest: numa,
      query: 'resources1=VGPU:1&resources2=VGPU:1&same_subtree=1,2',
      finds: '',
    },
    {
      title: 'rule 164: siblings are when another listed group is on that parent',
      forest: numa,
      query: 'resources1=VGPU:1&resources2=VGPU:1&resources3=VCPU:2&same_subtree=1,2,3&group_policy=isolate',
      finds: `
        gpu0 VGPU:1 + gpu1 VGPU:1 + numa0 VCPU:2
        gpu0 VGPU:1 + gpu1 VGPU:1 + cn VCPU:2
        gpu0 VGPU:1 + gpu2 VGPU:1 + cn VCPU:2
        gpu1 VGPU:1 + gpu2 VGPU:1 + cn VCPU:2`,
      count: 8,
    },
    {
      title: 'rule 165: a grandparent is an ancestor too',
      forest: numa,
      query: 'resources1=VCPU:1&resources2=SRIOV_NET_VF:1&same_subtree=1,2',
      finds: `
        cn VCPU:1 + vf0 SRIOV_NET_VF:1
        numa0 VCPU:1 + vf0 SRIOV_NET_VF:1`,
    },
    {
      title: 'rule 164: one provider for all listed groups is a subtree',
      forest: numa,
      query: 'resources1=VCPU:1&resources2=VCPU:1&same_subtree=1,2&in_tree1=other',
      finds: 'other VCPU:2',
    },
    {
      title: 'rule 115: a list of one group filters nothing',
      forest: numa,
      query: 'resources1=SRIOV_NET_VF:1&same_subtree=1',
      finds: 'vf0 SRIOV_NET_VF:1',
    },
    {
      title: 'rule 169: three like groups on three devices are 3! candidates',
      forest: forest(`
        cn
          a  FPGA:1
          b  FPGA:1
          c  FPGA:1`),
      query: 'resources1=FPGA:1&resources2=FPGA:1&resources3=FPGA:1',
      finds: 'a FPGA:1 + b FPGA:1 + c FPGA:1',
      count: 6,
    },
  ]);
});
