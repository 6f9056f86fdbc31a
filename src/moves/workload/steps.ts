import type { Assignment, CandidateAllocation } from '../../search/anchor.js';

/** A consumer with its resources. */
export interface Placement {
  readonly kind: 'PLACE';
  readonly member: number;
  readonly consumer: number;
  readonly alternative: number;
  /** The tree of the anchor. */
  readonly treeIndex: number;
  readonly assignments: readonly Assignment[];
  readonly allocations: readonly CandidateAllocation[];
  /** By rule of the member: the domains of the consumer. */
  readonly domains: readonly (readonly number[])[];
}

/** Consumers of a member that stay without resources. */
export interface Skip {
  readonly kind: 'SKIP';
  readonly member: number;
  readonly consumers: readonly number[];
}

/**
 * A step of a search: places a consumer, leaves out consumers of a member, or chooses the domain of a SAME
 * rule or the tree of a SAME_TREE member.
 */
export type Step =
  | Placement
  | Skip
  | { readonly kind: 'DOMAIN'; readonly rule: number; readonly domain: number }
  | { readonly kind: 'TREE'; readonly member: number; readonly treeIndex: number };

/** The only choice if no domain or tree is possible. */
export const NOWHERE = -1;

export function placementsIn(steps: readonly Step[]): Placement[] {
  return steps.filter((step) => step.kind === 'PLACE');
}
