import type { AuditCheck } from '../../generated/audit/operations';

interface CheckText {
  readonly title: string;
  /** What is wrong, and what that means. */
  readonly meaning: string;
  /** What `audit-database --fix` does about it, or what somebody has to decide. */
  readonly repair: string;
  readonly isRepaired: boolean;
}

/** The checks, in the order of their findings. */
export const CHECKS: Readonly<Record<AuditCheck, CheckText>> = {
  OVER_CAPACITY: {
    title: 'Above the capacity',
    meaning: 'More of a class is in use than the provider has. Nothing more can be allocated there.',
    repair: 'Raise the capacity, or move consumers away.',
    isRepaired: false,
  },
  UNIT_VIOLATION: {
    title: 'Against the units',
    meaning: 'An allocation is outside of the least, the greatest or the step of its inventory.',
    repair: 'Change the units, or resize the consumer.',
    isRepaired: false,
  },
  DANGLING_ALLOCATION: {
    title: 'Dangling allocations',
    meaning:
      'An allocation whose provider, consumer or class does not exist counts as used, but is listed nowhere.',
    repair: 'Deletes the allocation. Look first whether what it was for still runs.',
    isRepaired: true,
  },
  EMPTY_CONSUMER: {
    title: 'Consumers without allocations',
    meaning: 'A consumer is stored that has nothing.',
    repair: 'Deletes the consumer.',
    isRepaired: true,
  },
  BROKEN_TREE: {
    title: 'Broken trees',
    meaning: 'The recorded root of a provider is not the one that its parents lead to.',
    repair: 'Give the provider its right parent.',
    isRepaired: false,
  },
  UNKNOWN_REFERENCE: {
    title: 'References to nothing',
    meaning:
      'An inventory, a trait or an aggregate of a provider points at nothing, or a consumer has no project, user or type.',
    repair: 'Deletes what points at nothing of providers. Consumers are left: give them their owner.',
    isRepaired: true,
  },
};

export const CHECK_NAMES = Object.keys(CHECKS) as readonly AuditCheck[];
