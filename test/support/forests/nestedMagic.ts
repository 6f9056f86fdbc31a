import { forest } from '../forest.js';

/** The nested magic spec, "same_subtree". */
export const fpgas = forest(`
  compute_node
    numa0      VCPU:4(used=2) MEMORY_MB:2048
      fpga0_0  FPGA:1
    numa1      VCPU:4 MEMORY_MB:2048
      fpga1_0  FPGA:1
      fpga1_1  FPGA:1
`);

/** The nested magic spec, "resourceless request groups". */
export const twoNics = forest(`
  compute_node
    nic1     +HW_NIC_ROOT
      pf1_1  SRIOV_NET_VF:4  +CUSTOM_NET1
      pf1_2  SRIOV_NET_VF:4  +CUSTOM_NET2
    nic2     +HW_NIC_ROOT
      pf2_1  SRIOV_NET_VF:2  +CUSTOM_NET1
      pf2_2  SRIOV_NET_VF:2  +CUSTOM_NET2
`);

/** The nested magic spec, "group_policy + same_subtree"; the picture leaves open what nic2 has below it, so nothing. */
export const oneNic = forest(`
  compute_node
    nic1     +HW_NIC_ROOT
      pf1_1  SRIOV_NET_VF:4
      pf1_2  SRIOV_NET_VF:4
    nic2     +HW_NIC_ROOT
`);

/**
 * The nested magic spec, "root_required" and "root_member_of" give no picture. This is one for their use cases: a
 * multi-attach-capable host, a Windows-licensed one that is in another zone, and a plain one in a third; the hosts
 * themselves offer nothing, their NUMA nodes do. The traits stand on the roots only, and on the store, which is no host.
 */
export const zones = forest(`
  multi      +COMPUTE_VOLUME_MULTI_ATTACH                              @AZ1
    numa_m   VCPU:8
  windows    +COMPUTE_VOLUME_MULTI_ATTACH +CUSTOM_LICENSED_WINDOWS     @AZ2
    numa_w   VCPU:8
  plain      @AZ3
    numa_p   VCPU:8                                                    @AZ1
  store      DISK_GB:1000 +COMPUTE_VOLUME_MULTI_ATTACH                 @AZ1 @AZ2 @AZ3 sharing
`);
