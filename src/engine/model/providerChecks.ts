import { fits } from '../../domain/capacity.js';
import type { Plan, PlannedAmount, PlannedGroup } from './plan.js';
import { freeAt, hasTrait, inventoryAt, isMember, type Block } from './snapshot.js';

// What one provider must meet by itself.

/**
 * The amounts of one class that a provider could take in one allocation: those from least to most that D1
 * allows.
 */
export interface AllocatableAmounts {
  readonly least: number;
  readonly most: number;
  readonly step: number;
  /** What is left of the capacity. */
  readonly free: number;
}

/** The amounts that a provider could take now (rule 25, decision D1); null for none. */
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

/** Whether a provider could take every amount now (rules 25, 128; decision D1). */
export function fitsAll(block: Block, row: number, resources: readonly PlannedAmount[]): boolean {
  for (const { resourceClass, amount } of resources) {
    const at = inventoryAt(block, row, resourceClass);
    if (at < 0) return false;
    const { used, capacities, minUnits, maxUnits, stepSizes } = block;
    if (!fits(amount, used[at], capacities[at], minUnits[at], maxUnits[at], stepSizes[at])) return false;
  }
  return true;
}

/** Traits and direct aggregates of a granular group's provider (rules 129, 130, 134). */
export function meetsGranularGroup(block: Block, row: number, group: PlannedGroup): boolean {
  return (
    group.requiredTraits.every((set) => hasAnyTrait(block, row, set)) &&
    !hasAnyTrait(block, row, group.forbiddenTraits) &&
    isMemberOfAll(block, row, group.memberOf) &&
    !isMemberOfAny(block, row, group.forbiddenAggregates)
  );
}

/**
 * Forbidden traits and aggregates of one contributing provider of the unsuffixed group (rules 141-146), where
 * the aggregates of the anchor count for its whole tree. Required traits are met by all contributing
 * providers together (SharedTraits).
 */
export function meetsUnsuffixedGroup(
  block: Block,
  row: number,
  group: PlannedGroup,
  anchor: { readonly inMemberOf: boolean; readonly isOwn: boolean },
): boolean {
  return (
    !hasAnyTrait(block, row, group.forbiddenTraits) &&
    ((anchor.isOwn && anchor.inMemberOf) || isMemberOfAll(block, row, group.memberOf)) &&
    !isMemberOfAny(block, row, group.forbiddenAggregates)
  );
}

/** The request's conditions on the anchor itself (rule 160, decision D11). */
export function meetsRootConditions(block: Block, root: number, conditions: Plan['root']): boolean {
  return (
    conditions.requiredTraits.every((set) => hasAnyTrait(block, root, set)) &&
    !hasAnyTrait(block, root, conditions.forbiddenTraits) &&
    isMemberOfAll(block, root, conditions.memberOf) &&
    !isMemberOfAny(block, root, conditions.forbiddenAggregates)
  );
}

export function hasAnyTrait(block: Block, row: number, traits: readonly number[]): boolean {
  return traits.some((trait) => hasTrait(block, row, trait));
}

export function isMemberOfAll(block: Block, row: number, sets: readonly (readonly number[])[]): boolean {
  return sets.every((set) => isMemberOfAny(block, row, set));
}

export function isMemberOfAny(block: Block, row: number, aggregates: readonly number[]): boolean {
  return aggregates.some((aggregate) => isMember(block, row, aggregate));
}
