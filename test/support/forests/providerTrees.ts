import { forest } from '../forest.js';

/** The provider trees guide, "Sharing Resource Providers", first picture. */
export const sharedStorage = forest(`
  SS1  DISK_GB:1000                        @A sharing
  SS2  DISK_GB:1000                        sharing
  CN1  VCPU:8 MEMORY_MB:1024 DISK_GB:1000  @A
  CN2  VCPU:8 MEMORY_MB:1024 DISK_GB:1000
`);

/** The provider trees guide, "Sharing Resource Providers", second picture; fixture F1 of the rules. */
export const sharedWithTrees = forest(`
  SS1        DISK_GB:1000                 @A sharing
  CN1        MEMORY_MB:1024 DISK_GB:1000  @A @B
    NUMA1_1  VCPU:8
    NUMA1_2  VCPU:8
  CN2        MEMORY_MB:1024 DISK_GB:1000  @A
    NUMA2_1  VCPU:8                       @B
    NUMA2_2  VCPU:8
`);

/** The provider trees guide, "Filtering by Traits" and "Granular Resource Requests". */
export const nics = forest(`
  CN1       VCPU:8 MEMORY_MB:1024 DISK_GB:1000
    NIC1_1  SRIOV_NET_VF:8                      +HW_NIC_ACCEL_SSL
    NIC1_2  SRIOV_NET_VF:8
`);

/** The provider trees guide, "Filtering by Tree". */
export const twoStores = forest(`
  SS1        DISK_GB:1000  @A sharing
  SS2        DISK_GB:1000  @A sharing
  CN1        DISK_GB:1000  @A
    NUMA1_1  VCPU:4
    NUMA1_2  VCPU:4
  CN2        DISK_GB:1000  @A
    NUMA2_1  VCPU:4
    NUMA2_2  VCPU:4
`);
