import { treeIndexOfProvider, type Plan, type PlannedGroup } from '../model/plan.js';
import type { CandidatesRequest, RequestGroup } from '../model/request.js';
import { inventoryAt, type Block, type Snapshot } from '../model/snapshot.js';
import type { GroupConstraint } from './tally.js';

/** A group as it was asked for, and in the numbers of the snapshot. */
export interface ExplainedGroup {
  readonly asked: RequestGroup;
  readonly planned: PlannedGroup;
  /** The slot of the tree that `inTree` names. */
  readonly inTree: number | null;
  /** A provider's name by its uuid; the uuid itself when there is none. */
  readonly nameOf: (uuid: string) => string;
}

export function groupsOf(snapshot: Snapshot, request: CandidatesRequest, plan: Plan): ExplainedGroup[] {
  const nameOf = (uuid: string): string => {
    const provider = snapshot.locate(uuid);
    return provider?.block.names[provider.row] ?? uuid;
  };
  return request.groups.map((asked, at) => ({
    asked,
    planned: plan.groups[at],
    inTree: asked.inTree === null ? null : treeIndexOfProvider(snapshot, asked.inTree),
    nameOf,
  }));
}

/** A tree of the snapshot: its rows are from `start` to before `end`. */
export interface Tree {
  readonly slot: number;
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** The constraints that a group has, whether they remove anything or not. Every inventory has units: those show when they matter. */
export function constraintsAsked({ asked }: ExplainedGroup): Set<GroupConstraint> {
  const constraints = new Set<GroupConstraint>();
  if (asked.resources.length > 0) constraints.add('NO_INVENTORY').add('INSUFFICIENT_CAPACITY');
  if (asked.requiredTraits.length > 0) constraints.add('REQUIRED_TRAITS');
  if (asked.forbiddenTraits.length > 0) constraints.add('FORBIDDEN_TRAITS');
  if (asked.memberOf.length > 0) constraints.add('MEMBER_OF');
  if (asked.forbiddenAggregates.length > 0) constraints.add('FORBIDDEN_AGGREGATES');
  if (asked.inTree !== null) constraints.add('IN_TREE');
  if (asked.inSubtree !== null) constraints.add('IN_SUBTREE');
  return constraints;
}

/** Constraints on an amount in the order in which they are judged. */
export const AMOUNT_CONSTRAINTS = [
  'NO_INVENTORY',
  'INSUFFICIENT_CAPACITY',
  'MIN_UNIT',
  'MAX_UNIT',
  'STEP_SIZE',
] as const satisfies readonly GroupConstraint[];

export const ALL_AMOUNTS_MET: number = AMOUNT_CONSTRAINTS.length;

/** How many of AMOUNT_CONSTRAINTS, from the first on, one provider meets for an amount (rule 25, decision D1). */
export function amountMet(block: Block, row: number, resourceClass: number, amount: number): number {
  const at = inventoryAt(block, row, resourceClass);
  if (at < 0) return 0;
  if (block.used[at] + amount > block.capacities[at]) return 1;
  const minUnit = block.minUnits[at];
  if (amount < minUnit) return 2;
  if (amount > block.maxUnits[at]) return 3;
  return amount === minUnit || amount % block.stepSizes[at] === 0 ? 5 : 4;
}
