import { anchorsOfSharing, threeNodes } from '../support/forests/placementModels.js';
import { forest } from '../support/forest.js';
import { runExamples } from './examples.js';

runExamples([
  {
    title: 'models article, 1.1 single: one provider for VCPU 16 and MEMORY 16384 is 1, 6 or 7',
    forest: threeNodes,
    query: 'resources1=VCPU:16,MEMORY_MB:16384',
    finds: `
      1 VCPU:16 MEMORY_MB:16384
      6 VCPU:16 MEMORY_MB:16384
      7 VCPU:16 MEMORY_MB:16384`,
  },
  {
    title: 'models article, 1.2 nested: VCPU 16, MEMORY 32768 and 8 VF come from the tree of 1',
    forest: threeNodes,
    query: 'resources=VCPU:16,MEMORY_MB:32768,SRIOV_NET_VF:8',
    finds: '1 VCPU:16 MEMORY_MB:32768 + 4 SRIOV_NET_VF:8',
  },
  {
    title: 'models article, 1.2 nested: as a single provider there is none',
    forest: threeNodes,
    query: 'resources1=VCPU:16,MEMORY_MB:32768,SRIOV_NET_VF:8',
    finds: '',
  },
  {
    title: 'models article, 1.3 sharing: with 128G of disk it is 1 and 6, each with the NFS',
    forest: threeNodes,
    query: 'resources=VCPU:16,MEMORY_MB:32768,DISK_GB:128',
    finds: `
      1 VCPU:16 MEMORY_MB:32768 + 8 DISK_GB:128
      6 VCPU:16 MEMORY_MB:32768 + 8 DISK_GB:128`,
  },
  {
    title: 'models article, 1.4 aggregate: member_of agg1 is 1 and 7',
    forest: threeNodes,
    query: 'resources=VCPU:16,MEMORY_MB:16384&member_of=agg1',
    finds: `
      1 VCPU:16 MEMORY_MB:16384
      7 VCPU:16 MEMORY_MB:16384`,
  },
  {
    title: 'models article, 2.1.3 member_of of a single provider is 1 and 7',
    forest: threeNodes,
    query: 'resources1=VCPU:16,MEMORY_MB:16384&member_of1=agg1',
    finds: `
      1 VCPU:16 MEMORY_MB:16384
      7 VCPU:16 MEMORY_MB:16384`,
  },
  {
    title: 'models article, 2.2.1 trees: of 1, 6, 7 for VCPU and 4, 5 for VF only root 1 has both',
    forest: threeNodes,
    query: 'resources=VCPU:16,SRIOV_NET_VF:2',
    finds: `
      1 VCPU:16 + 4 SRIOV_NET_VF:2
      1 VCPU:16 + 5 SRIOV_NET_VF:2`,
  },
  {
    title: 'models article, 2.2.2 shared node: with DISK 128 it is still root 1, and 8',
    forest: threeNodes,
    query: 'resources=VCPU:16,SRIOV_NET_VF:2,DISK_GB:128',
    finds: `
      1 VCPU:16 + 4 SRIOV_NET_VF:2 + 8 DISK_GB:128
      1 VCPU:16 + 5 SRIOV_NET_VF:2 + 8 DISK_GB:128`,
  },
  {
    title: 'models article, 2.2.3 anchors: the root 0 of member 3 draws on shared 1 and 2',
    forest: anchorsOfSharing,
    query: 'resources=VCPU:1,DISK_GB:1,IPV4_ADDRESS:1',
    finds: '0 VCPU:1 + 1 DISK_GB:1 + 2 IPV4_ADDRESS:1',
  },
  {
    title: 'models article, 2.2.3 anchors: 1 and 2 are roots that draw on each other',
    forest: anchorsOfSharing,
    query: 'resources=DISK_GB:1,IPV4_ADDRESS:1',
    finds: '1 DISK_GB:1 + 2 IPV4_ADDRESS:1',
  },
  {
    title: 'models article, 2.2.4 member_of keeps only what is in the group: 6 is not in agg1, nor is 8',
    forest: threeNodes,
    query: 'resources=VCPU:16,MEMORY_MB:16384,DISK_GB:128&member_of=agg1',
    finds: '',
  },
]);

const qualities = forest(`
  both   VCPU:8  +HW_CPU_X86_AVX +HW_CPU_X86_SSE
  avx    VCPU:8  +HW_CPU_X86_AVX
  plain  VCPU:8
`);

const quantities = forest(`
  overcommitted  VCPU:10(reserved=2,ratio=2,used=15)
  full           VCPU:10(reserved=2,ratio=2,used=16)
  bounded        VCPU:100(min=1,max=16)
  stepped        DISK_GB:100(min=5,step=5)
`);

runExamples([
  {
    title: 'models article, 2.1.1 and 2.2.5 traits: all that are required',
    forest: qualities,
    query: 'resources1=VCPU:1&required1=HW_CPU_X86_AVX,HW_CPU_X86_SSE',
    finds: 'both VCPU:1',
  },
  {
    title: 'models article, 2.1.1 and 2.2.5 traits: none that is forbidden',
    forest: qualities,
    query: 'resources=VCPU:1&required=HW_CPU_X86_AVX,!HW_CPU_X86_SSE',
    finds: 'avx VCPU:1',
  },
  {
    title: 'models article, 2.1.2 a: used + asked <= (total - reserved) x ratio',
    forest: quantities,
    query: 'resources=VCPU:1',
    finds: `
      overcommitted VCPU:1
      bounded VCPU:1`,
  },
  {
    title: 'models article, 2.1.2 b: both bounds are allowed themselves',
    forest: quantities,
    query: 'resources=VCPU:16',
    finds: 'bounded VCPU:16',
  },
  {
    title: 'models article, 2.1.2 b: more than the upper bound is not',
    forest: quantities,
    query: 'resources=VCPU:17',
    finds: '',
  },
  {
    title: 'models article, 2.1.2 c: only 5G by 5G',
    forest: quantities,
    query: 'resources=DISK_GB:15',
    finds: 'stepped DISK_GB:15',
  },
  {
    title: 'models article, 2.1.2 c: not 12G',
    forest: quantities,
    query: 'resources=DISK_GB:12',
    finds: '',
  },
]);
