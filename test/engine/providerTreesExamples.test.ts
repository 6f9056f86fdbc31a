import { nics, sharedStorage, sharedWithTrees, twoStores } from '../support/forests/providerTrees.js';
import { runExamples } from './examples.js';

const q = 'resources=VCPU:1,MEMORY_MB:512,DISK_GB:500';

const onCn1 = `
  NUMA1_1 VCPU:1 + CN1 MEMORY_MB:512 DISK_GB:500
  NUMA1_2 VCPU:1 + CN1 MEMORY_MB:512 DISK_GB:500`;

const everywhere = `${onCn1}
  NUMA2_1 VCPU:1 + CN2 MEMORY_MB:512 DISK_GB:500
  NUMA2_2 VCPU:1 + CN2 MEMORY_MB:512 DISK_GB:500
  NUMA1_1 VCPU:1 + CN1 MEMORY_MB:512 + SS1 DISK_GB:500
  NUMA1_2 VCPU:1 + CN1 MEMORY_MB:512 + SS1 DISK_GB:500
  NUMA2_1 VCPU:1 + CN2 MEMORY_MB:512 + SS1 DISK_GB:500
  NUMA2_2 VCPU:1 + CN2 MEMORY_MB:512 + SS1 DISK_GB:500`;

runExamples([
  {
    title: 'provider trees guide, Sharing Resource Providers: three combinations, SS2 in none',
    forest: sharedStorage,
    query: q,
    finds: `
      CN1 VCPU:1 MEMORY_MB:512 DISK_GB:500
      CN2 VCPU:1 MEMORY_MB:512 DISK_GB:500
      CN1 VCPU:1 MEMORY_MB:512 + SS1 DISK_GB:500`,
  },
  {
    title:
      'provider trees guide, Sharing Resource Providers: one member shares with its whole tree, eight combinations',
    forest: sharedWithTrees,
    query: q,
    finds: everywhere,
  },
  {
    title:
      'provider trees guide, Filtering Aggregates: member_of aggA on the roots spans the trees, all eight',
    forest: sharedWithTrees,
    query: `${q}&member_of=A`,
    finds: everywhere,
  },
  {
    title: 'provider trees guide, Filtering Aggregates: member_of aggB gives two',
    forest: sharedWithTrees,
    query: `${q}&member_of=B`,
    finds: onCn1,
  },
]);

const onNic = 'CN1 VCPU:1 MEMORY_MB:512 DISK_GB:500';

runExamples([
  {
    title: 'provider trees guide, Filtering by Traits: required, only NIC1_1',
    forest: nics,
    query: `${q},SRIOV_NET_VF:2&required=HW_NIC_ACCEL_SSL`,
    finds: `${onNic} + NIC1_1 SRIOV_NET_VF:2`,
  },
  {
    title: 'provider trees guide, Filtering by Traits: forbidden, not NIC1_1',
    forest: nics,
    query: `${q},SRIOV_NET_VF:2&required=!HW_NIC_ACCEL_SSL`,
    finds: `${onNic} + NIC1_2 SRIOV_NET_VF:2`,
  },
  {
    title: 'provider trees guide, Filtering by Traits: a trait that is not asked for is ignored',
    forest: nics,
    query: `${q},SRIOV_NET_VF:2`,
    finds: `
      ${onNic} + NIC1_1 SRIOV_NET_VF:2
      ${onNic} + NIC1_2 SRIOV_NET_VF:2`,
  },
  {
    title: 'provider trees guide, Granular Resource Requests: isolate, one VF from each NIC',
    forest: nics,
    query: `${q}&resources1=SRIOV_NET_VF:1&required1=HW_NIC_ACCEL_SSL
            &resources2=SRIOV_NET_VF:1&group_policy=isolate`,
    finds: `${onNic} + NIC1_1 SRIOV_NET_VF:1 + NIC1_2 SRIOV_NET_VF:1 | =CN1 1=NIC1_1 2=NIC1_2`,
  },
  {
    title: 'provider trees guide, Granular Resource Requests: none, both VFs from NIC1_1 too',
    forest: nics,
    query: `${q}&resources1=SRIOV_NET_VF:1&required1=HW_NIC_ACCEL_SSL
            &resources2=SRIOV_NET_VF:1&group_policy=none`,
    finds: `
      ${onNic} + NIC1_1 SRIOV_NET_VF:1 + NIC1_2 SRIOV_NET_VF:1 | =CN1 1=NIC1_1 2=NIC1_2
      ${onNic} + NIC1_1 SRIOV_NET_VF:2                         | =CN1 1=NIC1_1 2=NIC1_1`,
  },
  {
    title: 'provider trees guide, Granular Resource Requests: member_of<N> does not span from the root',
    forest: sharedWithTrees,
    query: 'resources1=VCPU:1&member_of1=B',
    finds: 'NUMA2_1 VCPU:1',
  },
]);

const inCn1 = `
  NUMA1_1 VCPU:1 + CN1 DISK_GB:50
  NUMA1_2 VCPU:1 + CN1 DISK_GB:50`;

runExamples([
  {
    title: 'provider trees guide, Filtering by Tree: in_tree CN1 gives two, without the shared disks',
    forest: twoStores,
    query: 'resources=VCPU:1,DISK_GB:50&in_tree=CN1',
    finds: inCn1,
  },
  {
    title: 'provider trees guide, Filtering by Tree: in_tree NUMA1_1 names the same tree',
    forest: twoStores,
    query: 'resources=VCPU:1,DISK_GB:50&in_tree=NUMA1_1',
    finds: inCn1,
  },
  {
    title: 'provider trees guide, Filtering by Tree: VCPU from CN1, disk from wherever',
    forest: twoStores,
    query: 'resources=VCPU:1&in_tree=CN1&resources1=DISK_GB:10',
    finds: `
      NUMA1_1 VCPU:1 + CN1 DISK_GB:10
      NUMA1_2 VCPU:1 + CN1 DISK_GB:10
      NUMA1_1 VCPU:1 + SS1 DISK_GB:10
      NUMA1_2 VCPU:1 + SS1 DISK_GB:10
      NUMA1_1 VCPU:1 + SS2 DISK_GB:10
      NUMA1_2 VCPU:1 + SS2 DISK_GB:10`,
  },
  {
    title: 'provider trees guide, Filtering by Tree: VCPU from wherever, disk from SS1',
    forest: twoStores,
    query: 'resources=VCPU:1&resources1=DISK_GB:10&in_tree1=SS1',
    finds: `
      NUMA1_1 VCPU:1 + SS1 DISK_GB:10
      NUMA1_2 VCPU:1 + SS1 DISK_GB:10
      NUMA2_1 VCPU:1 + SS1 DISK_GB:10
      NUMA2_2 VCPU:1 + SS1 DISK_GB:10`,
  },
  {
    title: 'provider trees guide, Filtering by Tree: VCPU from CN1, disk from SS1',
    forest: twoStores,
    query: `resources1=VCPU:1&in_tree1=CN1
            &resources2=DISK_GB:10&in_tree2=SS1&group_policy=isolate`,
    finds: `
      NUMA1_1 VCPU:1 + SS1 DISK_GB:10
      NUMA1_2 VCPU:1 + SS1 DISK_GB:10`,
  },
]);
