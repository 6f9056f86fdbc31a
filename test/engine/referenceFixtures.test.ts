import { forest } from '../support/forest.js';
import { sharedWithTrees } from '../support/forests/providerTrees.js';
import { runExamples, type Example } from './examples.js';

/** Tables of one forest: question and answer. */
function about(
  name: string,
  drawn: Example['forest'],
  table: [query: string, finds: string, count?: number][],
): void {
  runExamples(
    table.map(([query, finds, count]) => ({
      title: `${name}: ${query}`,
      forest: drawn,
      query,
      finds,
      count,
    })),
  );
}

const q = 'resources=VCPU:1,MEMORY_MB:512,DISK_GB:500';
const localOn1 = `
  NUMA1_1 VCPU:1 + CN1 MEMORY_MB:512 DISK_GB:500
  NUMA1_2 VCPU:1 + CN1 MEMORY_MB:512 DISK_GB:500`;
const all = `${localOn1}
  NUMA1_1 VCPU:1 + CN1 MEMORY_MB:512 + SS1 DISK_GB:500
  NUMA1_2 VCPU:1 + CN1 MEMORY_MB:512 + SS1 DISK_GB:500
  NUMA2_1 VCPU:1 + CN2 MEMORY_MB:512 DISK_GB:500
  NUMA2_2 VCPU:1 + CN2 MEMORY_MB:512 DISK_GB:500
  NUMA2_1 VCPU:1 + CN2 MEMORY_MB:512 + SS1 DISK_GB:500
  NUMA2_2 VCPU:1 + CN2 MEMORY_MB:512 + SS1 DISK_GB:500`;

about('F1', sharedWithTrees, [
  [q, all],
  [`${q}&member_of=A`, all],
  [`${q}&member_of=B`, localOn1],
  [
    `${q}&member_of=!B`,
    `NUMA2_2 VCPU:1 + CN2 MEMORY_MB:512 DISK_GB:500
     NUMA2_2 VCPU:1 + CN2 MEMORY_MB:512 + SS1 DISK_GB:500`,
  ],
  [`${q}&member_of=!A`, ''],
  ['resources1=VCPU:1&member_of1=B', 'NUMA2_1 VCPU:1'],
  [
    'resources1=VCPU:1&member_of1=!B',
    `NUMA1_1 VCPU:1
     NUMA1_2 VCPU:1
     NUMA2_2 VCPU:1`,
  ],
  ['resources=VCPU:9', ''],
  [
    'resources1=VCPU:1&resources2=VCPU:1&in_tree1=CN1&group_policy=isolate',
    `NUMA1_1 VCPU:1 + NUMA1_2 VCPU:1 | 1=NUMA1_1 2=NUMA1_2
     NUMA1_1 VCPU:1 + NUMA1_2 VCPU:1 | 1=NUMA1_2 2=NUMA1_1`,
  ],
  [
    'resources1=VCPU:1&resources2=VCPU:1&in_tree1=CN1&group_policy=none',
    `NUMA1_1 VCPU:1 + NUMA1_2 VCPU:1 | 1=NUMA1_1 2=NUMA1_2
     NUMA1_1 VCPU:1 + NUMA1_2 VCPU:1 | 1=NUMA1_2 2=NUMA1_1
     NUMA1_1 VCPU:2 | 1=NUMA1_1 2=NUMA1_1
     NUMA1_2 VCPU:2 | 1=NUMA1_2 2=NUMA1_2`,
  ],
]);

const rootInA = forest(`
  R     @A
    Rc  PCPU:4  @B
`);

about('F2', rootInA, [
  ['resources=PCPU:1&member_of=A', 'Rc PCPU:1'],
  ['resources=PCPU:1&member_of=B', 'Rc PCPU:1'],
  ['resources=PCPU:1&member_of=A&member_of=B', ''],
  ['resources1=PCPU:1&member_of1=A', ''],
  ['resources1=PCPU:1&member_of1=!A', 'Rc PCPU:1'],
  ['resources=PCPU:1&member_of=!A', ''],
]);

const twoHosts = forest(`
  CN   VCPU:8 DISK_GB:50  @A @B
  CNX  VCPU:8             @A
  SS   DISK_GB:1000       @A sharing
`);

about('F3', twoHosts, [
  [
    'resources=VCPU:1,DISK_GB:10',
    `CN VCPU:1 DISK_GB:10
     CN VCPU:1 + SS DISK_GB:10
     CNX VCPU:1 + SS DISK_GB:10`,
  ],
  ['resources=VCPU:1,DISK_GB:10&member_of=B', 'CN VCPU:1 DISK_GB:10'],
  ['resources=VCPU:1,DISK_GB:10&member_of=!B', 'CNX VCPU:1 + SS DISK_GB:10'],
  ['resources=VCPU:1,DISK_GB:10&in_tree=CN', 'CN VCPU:1 DISK_GB:10'],
  ['resources=DISK_GB:10&member_of=!B', 'SS DISK_GB:10'],
]);

const twoNics = forest(`
  NR
    NIC1   +HW_NIC_ROOT
      PF1  SRIOV_NET_VF:4
    NIC2   +HW_NIC_ROOT
      PF2  SRIOV_NET_VF:4
`);

about('F4', twoNics, [
  [
    'resources_V=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&same_subtree=_V,_N',
    `PF1 SRIOV_NET_VF:1 | _V=PF1 _N=NIC1
     PF2 SRIOV_NET_VF:1 | _V=PF2 _N=NIC2`,
  ],
]);

about('F5, one free', forest('P VCPU:4(used=3)'), [
  ['resources1=VCPU:1', 'P VCPU:1'],
  ['resources1=VCPU:1&resources2=VCPU:1', ''],
]);

about('F5, max_unit 1', forest('P VCPU:8(max=1)'), [
  ['resources1=VCPU:1', 'P VCPU:1'],
  ['resources1=VCPU:1&resources2=VCPU:1', ''],
]);
