import type { Plan, PlannedAmount } from '../model/plan.js';
import { ALL_SATISFIED, amountConstraintsSatisfied, conditionViolation } from '../model/providerChecks.js';
import { hasBit, type Block } from '../model/snapshot.js';

export interface ProviderConditions {
  readonly name: string | null;
  readonly nameContains: string;
  readonly nameStartsWith: string;
  /** Null: any uuid. */
  readonly uuids: ReadonlySet<string> | null;
  /** The trees that providers can be in; null: any. */
  readonly trees: ReadonlySet<number> | null;
  readonly rootsOnly: boolean;
  readonly own: Plan['root'];
  readonly resources: readonly PlannedAmount[];
  /** Conditions on the tree: at least one of its providers must meet each condition. */
  readonly inTree: {
    readonly traits: readonly (readonly number[])[];
    readonly aggregates: readonly (readonly number[])[];
    readonly resources: readonly PlannedAmount[];
  };
}

/** The conditions applied to one block. */
export class BlockConditions {
  /** By tree: 1 if a provider of the tree may match. Null if every tree may match. */
  private readonly trees: Uint8Array | null;

  constructor(
    private readonly block: Block,
    private readonly conditions: ProviderConditions,
  ) {
    const { trees, inTree, own, resources } = conditions;
    const wanted = {
      traits: [...inTree.traits, ...own.requiredTraits],
      aggregates: [...inTree.aggregates, ...own.memberOf],
      free: [...inTree.resources, ...resources],
    };
    const isAny = trees === null && Object.values(wanted).every(({ length }) => length === 0);
    const isWanted = (_: number, tree: number): number =>
      Number((trees === null || trees.has(block.firstTree + tree)) && this.treeMatches(tree, wanted));
    this.trees = isAny ? null : Uint8Array.from({ length: block.treeStarts.length - 1 }, isWanted);
  }

  matches(row: number): boolean {
    const { block, trees } = this;
    return (trees === null || trees[block.trees[row]] === 1) && providerMatches(block, row, this.conditions);
  }

  private treeMatches(
    tree: number,
    { traits, aggregates, free }: { traits: Clauses; aggregates: Clauses; free: readonly PlannedAmount[] },
  ): boolean {
    const { block } = this;
    const { index } = block;
    return (
      traits.every((set) => set.some((trait) => hasBit(index.traits.get(trait), tree))) &&
      aggregates.every((set) => set.some((aggregate) => hasBit(index.aggregates.get(aggregate), tree))) &&
      free.every((each) => hasFree(block, tree, each)) &&
      this.conditions.inTree.resources.every((each) => someProviderTakes(block, tree, each))
    );
  }
}

type Clauses = readonly (readonly number[])[];

function providerMatches(block: Block, row: number, conditions: ProviderConditions): boolean {
  const { name, nameContains, nameStartsWith, uuids, own, resources } = conditions;
  const ownName = block.names[row];
  return (
    (name === null || ownName === name) &&
    ownName.startsWith(nameStartsWith) &&
    ownName.includes(nameContains) &&
    (uuids === null || uuids.has(block.uuids[row])) &&
    conditionViolation(block, row, own) === null &&
    resources.every((each) => takes(block, row, each))
  );
}

/** Returns false only if the index rules the tree out. */
function hasFree({ index }: Block, tree: number, { resourceClass, amount }: PlannedAmount): boolean {
  return (index.classes.get(resourceClass)?.largestFree[tree] ?? 0) >= amount;
}

function someProviderTakes(block: Block, tree: number, wanted: PlannedAmount): boolean {
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++)
    if (takes(block, row, wanted)) return true;
  return false;
}

function takes(block: Block, row: number, wanted: PlannedAmount): boolean {
  return amountConstraintsSatisfied(block, row, wanted) === ALL_SATISFIED;
}
