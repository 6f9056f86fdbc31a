import { unitsFit } from '../model/capacity.js';
import type { Clauses, IdSet } from './clauses.js';
import type { Conditions, PlannedAmount, PlannedGroup } from './plan.js';
import { freeAt, inventoryAt, type Block, type ProviderRef } from '../fleet/snapshot.js';

/** The amounts of one class that a provider could take in one allocation (decision D1). */
export interface AllocatableAmounts {
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly free: number;
}

export function allocatableAmounts(
  block: Block,
  row: number,
  resourceClass: number,
): AllocatableAmounts | null {
  const at = inventoryAt(block, row, resourceClass);
  if (at < 0) return null;
  const least = block.minUnits[at];
  const step = block.stepSizes[at];
  const free = freeAt(block, at);
  const top = Math.min(free, block.maxUnits[at]);
  if (top < least) return null;
  return { least, most: Math.max(least, top - (top % step)), step, free };
}

/** The constraints on amounts, in the order of the checks. */
export const AMOUNT_CONSTRAINTS = [
  'NO_INVENTORY',
  'INSUFFICIENT_CAPACITY',
  'MIN_UNIT',
  'MAX_UNIT',
  'STEP_SIZE',
] as const;

/** The constraints of a group, in the order of the checks. */
export const GROUP_CONSTRAINTS = [
  'NOT_IN_TREES',
  ...AMOUNT_CONSTRAINTS,
  'REQUIRED_TRAITS',
  'FORBIDDEN_TRAITS',
  'MEMBER_OF',
  'FORBIDDEN_AGGREGATES',
  'IN_TREE',
  'IN_SUBTREE',
] as const;

export type GroupConstraint = (typeof GROUP_CONSTRAINTS)[number];

export const ALL_SATISFIED: number = AMOUNT_CONSTRAINTS.length;

/** Returns how many of AMOUNT_CONSTRAINTS hold before the first violation (rule 25, decision D1). */
export function amountConstraintsSatisfied(
  block: Block,
  row: number,
  { resourceClass, amount }: PlannedAmount,
): number {
  const at = inventoryAt(block, row, resourceClass);
  if (at < 0) return 0;
  if (block.used[at] + amount > block.capacities[at]) return 1;
  const minUnit = block.minUnits[at];
  const maxUnit = block.maxUnits[at];
  if (amount < minUnit) return 2;
  if (amount > maxUnit) return 3;
  return unitsFit(amount, minUnit, maxUnit, block.stepSizes[at]) ? ALL_SATISFIED : 4;
}

/** Returns the first of AMOUNT_CONSTRAINTS that any amount violates; null if none. */
export function amountViolation(
  block: Block,
  row: number,
  resources: readonly PlannedAmount[],
): (typeof AMOUNT_CONSTRAINTS)[number] | null {
  let least = ALL_SATISFIED;
  for (const resource of resources) {
    const satisfied = amountConstraintsSatisfied(block, row, resource);
    if (satisfied === 0) return 'NO_INVENTORY';
    if (satisfied < least) least = satisfied;
  }
  return least === ALL_SATISFIED ? null : AMOUNT_CONSTRAINTS[least];
}

/**
 * Returns the first violated constraint on traits or direct aggregates; null if none (rules 129, 130, 134,
 * 160).
 */
export function conditionViolation(
  block: Block,
  row: number,
  conditions: Conditions,
): 'REQUIRED_TRAITS' | 'FORBIDDEN_TRAITS' | 'MEMBER_OF' | 'FORBIDDEN_AGGREGATES' | null {
  if (!hasAllTraits(block, row, conditions.requiredTraits)) return 'REQUIRED_TRAITS';
  if (hasAnyTrait(block, row, conditions.forbiddenTraits)) return 'FORBIDDEN_TRAITS';
  if (!isMemberOfAll(block, row, conditions.memberOf)) return 'MEMBER_OF';
  return isMemberOfAny(block, row, conditions.forbiddenAggregates) ? 'FORBIDDEN_AGGREGATES' : null;
}

/** Returns the first violated constraint on the provider's position; null if none (rules 131, 147). */
export function locationViolation(
  { treeIndex, row }: { readonly treeIndex: number; readonly row: number },
  { inTree, tree, rows }: PlannedGroup,
): 'IN_TREE' | 'IN_SUBTREE' | null {
  if (tree === null) return null;
  if (inTree !== null && treeIndex !== inTree) return 'IN_TREE';
  if (treeIndex !== tree) return 'IN_SUBTREE';
  return rows !== null && (row < rows[0] || row >= rows[1]) ? 'IN_SUBTREE' : null;
}

/** Returns the first of GROUP_CONSTRAINTS that a provider violates for a granular group; null if none. */
export function granularViolation(
  provider: ProviderRef & { readonly treeIndex: number },
  group: PlannedGroup,
): GroupConstraint | null {
  const { block, row } = provider;
  return (
    amountViolation(block, row, group.resources) ??
    conditionViolation(block, row, group) ??
    locationViolation(provider, group)
  );
}

export function isSharing({ block, row }: ProviderRef): boolean {
  return block.sharing[row] === 1;
}

export function hasAnyTrait({ traits, traitStarts }: Block, row: number, set: IdSet): boolean {
  return set.isIn(traits, traitStarts[row], traitStarts[row + 1]);
}

/** Returns whether a provider has a trait of each set. */
function hasAllTraits({ traits, traitStarts }: Block, row: number, clauses: Clauses): boolean {
  return clauses.areMet(traits, traitStarts[row], traitStarts[row + 1]);
}

/** Returns the sets of which a provider has a trait, as bits. */
export function traitSetsMet({ traits, traitStarts }: Block, row: number, clauses: Clauses): Uint32Array {
  return clauses.metBy(traits, traitStarts[row], traitStarts[row + 1]);
}

/** Returns whether a provider is in an aggregate of each set. */
export function isMemberOfAll(
  { aggregates, aggregateStarts }: Block,
  row: number,
  clauses: Clauses,
): boolean {
  return clauses.areMet(aggregates, aggregateStarts[row], aggregateStarts[row + 1]);
}

export function isMemberOfAny({ aggregates, aggregateStarts }: Block, row: number, set: IdSet): boolean {
  return set.isIn(aggregates, aggregateStarts[row], aggregateStarts[row + 1]);
}

/** Returns the sets of which a provider is in an aggregate, as bits. */
export function aggregateSetsMet(
  { aggregates, aggregateStarts }: Block,
  row: number,
  clauses: Clauses,
): Uint32Array {
  return clauses.metBy(aggregates, aggregateStarts[row], aggregateStarts[row + 1]);
}
