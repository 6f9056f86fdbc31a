import type { AuditCheck } from '../../generated/audit/operations';

interface CheckText {
  readonly title: string;
  /** The inconsistency and its effect. */
  readonly meaning: string;
  /** The effect of `audit-database --fix`, or the decision that an operator makes. */
  readonly repair: string;
  readonly isRepaired: boolean;
}

/** The checks, in the order of their findings. */
export const CHECKS: Readonly<Record<AuditCheck, CheckText>> = {
  OVER_CAPACITY: {
    title: 'Above the capacity',
    meaning:
      'The usage of a class exceeds the capacity of the provider, or its total if all of it is reserved. The provider accepts no further allocations of it.',
    repair: 'Raise the capacity, or move consumers away.',
    isRepaired: false,
  },
  UNIT_VIOLATION: {
    title: 'Unit violations',
    meaning: 'An allocation violates the smallest unit, the largest unit or the step of its inventory.',
    repair: 'Change the units, or resize the consumer.',
    isRepaired: false,
  },
  DANGLING_ALLOCATION: {
    title: 'Dangling allocations',
    meaning:
      'The provider, consumer or class of an allocation does not exist. The allocation counts as used, but no list shows it.',
    repair: 'Deletes the allocation. Check first that its workload no longer runs.',
    isRepaired: true,
  },
  EMPTY_CONSUMER: {
    title: 'Consumers without allocations',
    meaning: 'A consumer has no allocations.',
    repair: 'Deletes the consumer.',
    isRepaired: true,
  },
  BROKEN_TREE: {
    title: 'Broken trees',
    meaning: 'The root of a provider is not the one to which its parents lead.',
    repair: 'Set the correct parent of the provider.',
    isRepaired: false,
  },
  UNKNOWN_REFERENCE: {
    title: 'Unknown references',
    meaning:
      'An inventory, a trait or an aggregate refers to a missing row, or a consumer has no project, user or type.',
    repair: 'Deletes such rows of providers. It keeps consumers: set their owner.',
    isRepaired: true,
  },
  UUID_SPELLING: {
    title: 'Uuids in another spelling',
    meaning:
      'Another program has stored a consumer or aggregate in another spelling of its uuid. A consumer with several rows can only be deleted.',
    repair: 'Nothing, except for a consumer with several rows: delete it, and let its owner claim again.',
    isRepaired: false,
  },
  SEVERAL_TREES: {
    title: 'Consumers in several trees',
    meaning:
      'A consumer has allocations in several trees, as after an evacuation by OpenStack Compute. Only one of them is where it runs.',
    repair: 'Remove the others: `consumer unset CONSUMER --in-tree HOST`.',
    isRepaired: false,
  },
  QUOTA_USAGE: {
    title: 'Miscounted quotas',
    meaning:
      'The counted usage of a project or group differs from its allocations: another program has written them.',
    repair: 'Counts the usage again.',
    isRepaired: true,
  },
  LOST_REQUEST: {
    title: 'Lost requests',
    meaning: 'A request is remembered for a consumer that another program has deleted.',
    repair: 'Deletes the row.',
    isRepaired: true,
  },
  LOST_COUNTER: {
    title: 'Lost counters',
    meaning:
      'An inventory consumes a counter that does not exist, or that no ancestor has. Nothing of it can be allocated.',
    repair: 'Create the counter again, or move the provider back below it.',
    isRepaired: false,
  },
  MISSING_CONSUMPTION: {
    title: 'Missing consumption',
    meaning:
      'A consumer has less of a counter than its allocations consume: another program has written its allocations.',
    repair: 'Writes the missing amounts of counters.',
    isRepaired: true,
  },
};

export const CHECK_NAMES = Object.keys(CHECKS) as readonly AuditCheck[];
