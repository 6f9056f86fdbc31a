import { unitsFit, saturatingSum } from '../model/input.js';
import { UNKNOWN, type Clauses, type IdSet } from './clauses.js';
import type { Conditions, PlannedAmount, PlannedGroup, Plan, Variable } from './plan.js';
import {
  freeAt,
  inventoryAt,
  type Block,
  type ProviderRef,
  blockOf,
  hasBit,
  treeOf,
  TREES_PER_BLOCK,
  treesWithAny,
  type Snapshot,
} from '../fleet/snapshot.js';
import { isCounter } from '../fleet/consumption.js';
import { SHARING_TRAIT } from '../model/provider.js';

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
  if (at < 0 || isCounter(block, at)) return null;
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
  if (at < 0 || (block.consumption !== null && isCounter(block, at))) return 0;
  if (amount > freeAt(block, at)) return 1;
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

/** With more ids in all conditions, the trees that the index allows are read once for each block. */
const FEW_IDS = 64;

/** One provider must have the largest unsplittable amount free, and the tree must have the sum. */
interface CapacityCondition {
  readonly resourceClass: number;
  readonly largest: number;
  readonly sum: number;
}

/** Some trees, by index. */
export interface TreeSet {
  has(treeIndex: number): boolean;
}

/**
 * Necessary conditions of an anchor tree, read from the index. The tree's own providers must serve
 * the variables that no sharing provider could serve.
 */
export class TreeFilter {
  /** The only possible anchors, if a group or consumers determine them; null: all trees. */
  readonly only: readonly number[] | null;
  /** By variable: whether a sharing provider of another tree could serve it. */
  readonly shareable: readonly boolean[];

  /** A provider of the tree must have one of these ids. */
  private readonly bitConditions: { column: 'traits' | 'aggregates'; ids: readonly number[] }[] = [];
  private readonly capacityConditions: readonly CapacityCondition[];
  /** The work to read the index of a block for `bitConditions` (Effort.spent); 0 if there are few ids. */
  readonly workPerBlock: number;
  /** By block: the trees that `bitConditions` allow, if there are many ids. */
  private readonly allowed = new Map<Block, Uint32Array>();
  /** Sets of trees that are not anchors. */
  private readonly excluded: TreeSet[];

  constructor(
    private readonly snapshot: Snapshot,
    private readonly plan: Plan,
    /** More trees that are not anchors; their sharing providers may serve others. May grow. */
    excludedTrees?: TreeSet,
  ) {
    const { excluded, away, excludedRoots } = plan.trees;
    this.excluded = [excluded, away, excludedRoots].filter(({ size }) => size > 0);
    if (excludedTrees !== undefined) this.excluded.push(excludedTrees);
    this.only = this.onlyAnchors();
    this.shareable = plan.variables.map((variable) => this.isShareable(variable));
    this.capacityConditions = this.collectCapacityConditions();
    plan.groups.forEach((group) => this.collectBitConditions(group));
    for (const { ids } of plan.root.requiredTraits.sets) this.bitConditions.push({ column: 'traits', ids });
    for (const { ids } of plan.root.memberOf.sets) this.bitConditions.push({ column: 'aggregates', ids });
    const idCount = this.bitConditions.reduce((sum, { ids }) => sum + ids.length, 0);
    this.workPerBlock = idCount > FEW_IDS ? idCount >> 4 : 0;
  }

  /** Returns whether a tree passes and is one of the possible anchors. */
  allows(treeIndex: number): boolean {
    return (this.only === null || this.only.includes(treeIndex)) && this.passes(treeIndex);
  }

  passes(treeIndex: number): boolean {
    const block = blockOf(this.snapshot, treeIndex);
    const tree = treeIndex - block.firstTree;
    return (
      block.treeStarts[tree] < block.treeStarts[tree + 1] &&
      this.isAllowedByIndex(block, tree) &&
      this.hasCapacity(block, tree) &&
      conditionViolation(block, block.treeStarts[tree], this.plan.root) === null &&
      !this.excluded.some((trees) => trees.has(treeIndex))
    );
  }

  private isAllowedByIndex(block: Block, tree: number): boolean {
    if (this.workPerBlock > 0) return hasBit(this.allowedIn(block), tree);
    return this.bitConditions.every(({ column, ids }) =>
      ids.some((id) => hasBit(block.index[column].get(id), tree)),
    );
  }

  private allowedIn(block: Block): Uint32Array {
    let trees = this.allowed.get(block);
    if (trees === undefined) {
      trees = new Uint32Array(TREES_PER_BLOCK / 32).fill(0xffffffff);
      for (const { column, ids } of this.bitConditions) {
        const any = treesWithAny(block.index[column], ids);
        for (let word = 0; word < trees.length; word++) trees[word] &= any[word];
      }
      if (this.workPerBlock > 0) this.allowed.set(block, trees);
    }
    return trees;
  }

  /** The conditions on the index, for use in a cache key. */
  get indexConditions(): readonly object[] {
    return [this.bitConditions, this.capacityConditions];
  }

  /** Returns one bit per tree: a superset of the trees that `passes` accepts. */
  possibleTreesIn(block: Block): Uint32Array {
    if (!this.mayMatch(block)) return new Uint32Array(TREES_PER_BLOCK / 32);
    const trees = this.allowedIn(block).slice();
    for (let tree = block.treeStarts.length - 1; tree < TREES_PER_BLOCK; tree++) {
      trees[tree >>> 5] &= ~(1 << (tree & 31));
    }
    return trees;
  }

  /** Returns whether any tree of a block may pass. */
  mayMatch({ index }: Block): boolean {
    return (
      this.capacityConditions.every(
        ({ resourceClass, largest }) => (index.classes.get(resourceClass)?.maxFree ?? 0) >= largest,
      ) && this.bitConditions.every(({ column, ids }) => ids.some((id) => index[column].has(id)))
    );
  }

  hasCapacity(block: Block, tree: number): boolean {
    return this.capacityConditions.every(({ resourceClass, largest, sum }) => {
      const index = block.index.classes.get(resourceClass);
      return index !== undefined && index.largestFree[tree] >= largest && index.totalFree[tree] >= sum;
    });
  }

  private onlyAnchors(): readonly number[] | null {
    const { near } = this.plan.trees;
    const pins = this.plan.groups
      .map((group) => this.pinOf(group))
      .filter((treeIndex) => treeIndex !== undefined);
    if (pins.length === 0) return near && [...near];
    const [pin] = pins;
    return pins.every((other) => other === pin) && (near?.has(pin) ?? true) ? [pin] : [];
  }

  /**
   * Returns the only anchor that a group allows: the tree of the unsuffixed group (rule 147), or of
   * a granular group that allows no sharing provider. Returns undefined if the group allows several
   * anchors.
   */
  private pinOf(group: PlannedGroup): number | undefined {
    if (group.tree === null) return undefined;
    if (!group.isGranular || group.tree === UNKNOWN) return group.tree;
    const { block, start, end } = treeOf(this.snapshot, group.tree);
    const anySharing = block.sharing.subarray(...(group.rows ?? [start, end])).includes(1);
    return anySharing ? undefined : group.tree;
  }

  private isShareable({ group, resources }: Variable): boolean {
    if (group.tree !== null && this.pinOf(group) !== undefined) return false;
    const { snapshot } = this;
    const sharing = snapshot.traits.idOf(SHARING_TRAIT);
    return (
      !group.forbiddenTraits.ids.some((id) => id === sharing) &&
      resources.every(({ resourceClass }) => snapshot.sharing.has('class', resourceClass)) &&
      group.memberOf.sets.every(({ ids }) => ids.some((id) => snapshot.sharing.in(id).length > 0)) &&
      (!group.isGranular ||
        group.requiredTraits.sets.every(({ ids }) => ids.some((id) => snapshot.sharing.has('trait', id)))) &&
      (resources.length > 0 || snapshot.sharing.all.length > 0)
    );
  }

  private collectCapacityConditions(): CapacityCondition[] {
    const byClass = new Map<number, CapacityCondition>();
    const { oneProviderPerTree } = this.plan;
    this.plan.variables.forEach(({ resources, canSplit }, variable) => {
      if (this.shareable[variable]) return;
      for (const { resourceClass, amount } of resources) {
        const { largest, sum } = byClass.get(resourceClass) ?? { largest: 0, sum: 0 };
        byClass.set(resourceClass, {
          resourceClass,
          largest: oneProviderPerTree
            ? saturatingSum(largest, amount)
            : Math.max(largest, canSplit ? 1 : amount),
          sum: saturatingSum(sum, amount),
        });
      }
    });
    return [...byClass.values()];
  }

  /**
   * Returns the aggregates through which the only allowed provider of a group shares; empty if there is no such
   * provider. The anchor tree must have a provider in one of them.
   */
  private linksOf({ tree, rows }: PlannedGroup): readonly number[] {
    if (tree === null || tree === UNKNOWN || rows === null || rows[1] - rows[0] !== 1) return [];
    const { sharing, aggregates, aggregateStarts } = blockOf(this.snapshot, tree);
    if (sharing[rows[0]] !== 1) return [];
    return [...aggregates.subarray(aggregateStarts[rows[0]], aggregateStarts[rows[1]])];
  }

  private collectBitConditions(group: PlannedGroup): void {
    const links = group.isGranular ? this.linksOf(group) : [];
    if (links.length > 0) this.bitConditions.push({ column: 'aggregates', ids: links });
    const shareable = this.plan.variables.flatMap((variable, at) =>
      variable.group === group ? [this.shareable[at]] : [],
    );
    for (const { ids } of group.requiredTraits.sets) {
      const isShared = ids.some((id) => this.snapshot.sharing.has('trait', id));
      const isServedOutside = group.isGranular ? shareable[0] : shareable.some(Boolean) && isShared;
      if (!isServedOutside) this.bitConditions.push({ column: 'traits', ids });
    }
    if (shareable.every(Boolean)) return;
    for (const { ids } of group.memberOf.sets) this.bitConditions.push({ column: 'aggregates', ids });
  }
}
