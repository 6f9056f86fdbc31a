import { forest } from '../support/forest.js';
import { oneNic } from '../support/forests/nestedMagic.js';
import { runExamples } from './examples.js';

const threeVifs = `resources_A=SRIOV_NET_VF:1&resources_B=SRIOV_NET_VF:1&resources_C=SRIOV_NET_VF:1`;

runExamples([
  {
    title: 'isolate: the provider of a group that is named serves no other group',
    forest: oneNic,
    query: `${threeVifs}&isolate=_A`,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:2 | _A=pf1_1 _B=pf1_2 _C=pf1_2
      pf1_2 SRIOV_NET_VF:1 + pf1_1 SRIOV_NET_VF:2 | _A=pf1_2 _B=pf1_1 _C=pf1_1`,
  },
  {
    title: 'isolate: groups that are not named may share, where the policy would part all of them',
    forest: oneNic,
    query: `${threeVifs}&group_policy=isolate`,
    finds: '',
  },
  {
    title: 'isolate: two that are named are parted from each other too',
    forest: oneNic,
    query: `resources_A=SRIOV_NET_VF:1&resources_B=SRIOV_NET_VF:1&isolate=_A,_B`,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1 | _A=pf1_1 _B=pf1_2
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1 | _A=pf1_2 _B=pf1_1`,
  },
  {
    title: 'isolate: two that are named and a third need three providers',
    forest: oneNic,
    query: `${threeVifs}&isolate=_A,_B`,
    finds: '',
  },
  {
    title: 'isolate: with a subtree condition, two VFs from different PFs on the same NIC',
    forest: oneNic,
    query: `resources_A=SRIOV_NET_VF:1&resources_B=SRIOV_NET_VF:1&required_NIC=HW_NIC_ROOT
            &same_subtree=_A,_B,_NIC&isolate=_A`,
    finds: `
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1 | _A=pf1_1 _B=pf1_2 _NIC=nic1
      pf1_1 SRIOV_NET_VF:1 + pf1_2 SRIOV_NET_VF:1 | _A=pf1_2 _B=pf1_1 _NIC=nic1`,
  },
]);

/** The NIC itself has VFs, so that it could serve the resourceless group and others at once. */
const givingNic = forest(`
  host
    nic   SRIOV_NET_VF:4  +HW_NIC_ROOT
      pf  SRIOV_NET_VF:4
`);

runExamples([
  {
    title: 'isolate: the unsuffixed group is kept away too, which the policy would not do',
    forest: givingNic,
    query: 'resources=SRIOV_NET_VF:1&resources_V=SRIOV_NET_VF:1&isolate=_V',
    finds: `
      nic SRIOV_NET_VF:1 + pf SRIOV_NET_VF:1 | =nic _V=pf
      nic SRIOV_NET_VF:1 + pf SRIOV_NET_VF:1 | =pf _V=nic`,
  },
  {
    title: 'isolate: the nested magic spec, it works on resourceless groups',
    forest: givingNic,
    query: 'resources=SRIOV_NET_VF:1&required_N=HW_NIC_ROOT&same_subtree=_N&isolate=_N',
    finds: 'pf SRIOV_NET_VF:1 | =pf _N=nic',
  },
  {
    title: 'isolate: no class of the unsuffixed group comes from there, though others are elsewhere',
    forest: forest(`
      cn        VCPU:4 MEMORY_MB:64
        numa0   VCPU:4
        pool    MEMORY_MB:64 VGPU:1`),
    query: 'resources=VCPU:1,MEMORY_MB:8&resources_G=VGPU:1&isolate=_G',
    finds: `
      cn VCPU:1 MEMORY_MB:8 + pool VGPU:1
      numa0 VCPU:1 + cn MEMORY_MB:8 + pool VGPU:1`,
  },
  {
    title: 'isolate: a sharing provider can be had alone as well',
    forest: forest(`
      cn   VCPU:4 DISK_GB:10   @A
      ss   DISK_GB:10          @A sharing`),
    query: 'resources=VCPU:1,DISK_GB:1&resources_D=DISK_GB:1&isolate=_D',
    finds: 'cn VCPU:1 DISK_GB:1 + ss DISK_GB:1 | =cn _D=ss',
  },
]);
