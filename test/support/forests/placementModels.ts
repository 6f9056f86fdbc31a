import { forest } from '../forest.js';

/**
 * The models article, section 1, first picture: three nodes and shared NFS. The picture itself is lost; this is how
 * the text reads. The ids are those of the text: 1 is node 1; "2 NUMA, a PF on each" are 2 and 3 with 4 and 5, for section 2.2.1
 * finds 4 and 5 (of root 1) for VF:2; 6 is node 2 and 7 node 3; 8 is the shared store, which section 2.2.2
 * finds under 1 and 6, so those three share an aggregate; section 1.4 finds 1 and 7 in agg1. "128G shared memory" of
 * the introduction must be the NFS disk that section 1.3 asks 128G of: the text calls it NFS ever after.
 */
export const threeNodes = forest(`
  1        VCPU:16 MEMORY_MB:32768  @agg1 @agg2
    2
      4    SRIOV_NET_VF:8
    3
      5    SRIOV_NET_VF:2
  6        VCPU:16 MEMORY_MB:32768  @agg2
  7        VCPU:16 MEMORY_MB:16384  @agg1
  8        DISK_GB:128              @agg2 sharing
`);

/**
 * The models article, section 2.2.3: providers 1, 2 and 3 are in one aggregate, 1 and 2 are shared; the roots are 1 and 2
 * themselves, and 0 for 3. The classes are ours, one for each, to tell who gave what.
 */
export const anchorsOfSharing = forest(`
  0        VCPU:8
    3      MEMORY_MB:1024  @agg1
  1        DISK_GB:100     @agg1 sharing
  2        IPV4_ADDRESS:50 @agg1 sharing
`);
