import {
  type Directions,
  type SortBounds,
  type SortKey,
  OrderedPage,
  type Placed,
} from '../../model/listing/orderedPage.js';
import type { Clauses } from '../clauses.js';
import type { Conditions, PlannedAmount } from '../plan.js';
import { ALL_SATISFIED, amountConstraintsSatisfied, conditionViolation } from '../treeFilter.js';
import {
  blocksWith,
  hasBit,
  treesWithAny,
  type Block,
  type ProviderRef,
  type Snapshot,
} from '../../fleet/snapshot.js';
import { rowSequence, type RowSequence } from './blockOrder.js';
import { keyOfProvider, type PlannedKey } from './providerOrder.js';

export interface ProviderConditions {
  readonly name: string | null;
  readonly nameContains: string;
  readonly nameStartsWith: string;
  /** Null: any uuid. */
  readonly uuids: ReadonlySet<string> | null;
  /** The trees that providers can be in; null: any. */
  readonly trees: ReadonlySet<number> | null;
  readonly rootsOnly: boolean;
  readonly own: Conditions;
  readonly resources: readonly PlannedAmount[];
  /** Conditions on the tree: at least one of its providers must meet each condition. */
  readonly inTree: {
    readonly traits: Clauses;
    readonly aggregates: Clauses;
    readonly resources: readonly PlannedAmount[];
  };
}

/** No two providers have the same last key. */
export interface ListingPlan {
  readonly conditions: ProviderConditions;
  readonly keys: readonly PlannedKey[];
  readonly directions: Directions;
}

interface OpenBlock {
  readonly sequence: RowSequence;
  readonly matches: (row: number) => boolean;
  position: number;
  readonly firstKey: SortKey;
}

/** The cost of sorting a row, in visits of a provider. */
const COST_OF_ORDER = 4;

/**
 * Finds one page of an ordered list of providers, in time slices. Reads the most promising blocks
 * first. Stops reading a block when no further row can be on the page.
 */
export class ProviderListing {
  private readonly page: OrderedPage<ProviderRef>;
  private readonly unopened: Block[];
  private readonly open: OpenBlock[] = [];
  private isSorted = false;
  /** The only name in the list, if it is ordered by name. */
  private readonly onlyName: string | null;

  constructor(
    snapshot: Snapshot,
    private readonly plan: ListingPlan,
    private readonly bounds: SortBounds,
  ) {
    const { conditions, keys, directions } = plan;
    this.page = new OrderedPage({ keyOf: keys.map(keyOfProvider), directions }, bounds);
    this.unopened = [...blocksWith(snapshot, conditions.trees)];
    this.onlyName = keys[0].field === 'name' ? conditions.name : null;
  }

  run(providers: number): boolean {
    let budget = providers;
    for (; this.unopened.length > 0 && budget > 0; budget--) budget -= this.openBlock(this.unopened.pop()!);
    if (this.unopened.length > 0) return false;
    if (!this.isSorted) this.open.sort((one, other) => other.sequence.compare(other.firstKey, one.firstKey));
    this.isSorted = true;
    for (let block = this.open.at(-1); block !== undefined && budget > 0; block = this.open.at(-1)) {
      const start = block.position;
      if (this.read(block, start + budget)) this.open.pop();
      budget -= 1 + block.position - start;
    }
    return this.open.length === 0;
  }

  get rows(): readonly Placed<ProviderRef>[] {
    return this.page.rows;
  }

  private openBlock(block: Block): number {
    const { keys, directions, conditions } = this.plan;
    const { after = null, before = null, backwards = false } = this.bounds;
    const { rootsOnly } = conditions;
    const sequence = rowSequence(block, keys[0], { isDescending: directions[0], backwards, rootsOnly });
    const bound = (backwards ? before : after)?.[0];
    const start = this.onlyName ?? bound;
    const position = start === undefined ? 0 : sequence.firstFrom(start);
    if (position < sequence.length)
      this.open.push({
        sequence,
        matches: matcherIn(block, conditions),
        position,
        firstKey: sequence.keyAt(position),
      });
    return (sequence.isNew ? COST_OF_ORDER * sequence.length : 1) + workOfIndex(conditions);
  }

  /** Reads up to a position. Returns true if no further row of the block can be on the page. */
  private read(open: OpenBlock, end: number): boolean {
    const { sequence, matches } = open;
    const { block } = sequence;
    const { after = null, before = null, backwards = false } = this.bounds;
    const bound = backwards ? after : before;
    for (; open.position < Math.min(end, sequence.length); open.position++) {
      const { threshold } = this.page;
      const key = sequence.keyAt(open.position);
      if (threshold !== null && sequence.compare(key, threshold[0]) > 0) return true;
      if (bound !== null && sequence.compare(key, bound[0]) > 0) return true;
      if (this.onlyName !== null && sequence.compare(key, this.onlyName) > 0) return true;
      const provider = { block, row: sequence.rowAt(open.position) };
      if (this.page.isWanted(provider) && matches(provider.row)) this.page.add(provider);
    }
    return open.position >= sequence.length;
  }
}

/** Visits all providers that match, in no order and in time slices. */
export class ProviderScan {
  private visited = 0;
  private readonly blocks: readonly Block[];

  constructor(
    snapshot: Snapshot,
    private readonly conditions: ProviderConditions,
    private readonly visit: (block: Block, row: number) => void,
  ) {
    this.blocks = blocksWith(snapshot, conditions.trees);
  }

  run(providers: number): boolean {
    const { rootsOnly } = this.conditions;
    for (let budget = providers; budget > 0 && this.visited < this.blocks.length; this.visited++) {
      const block = this.blocks[this.visited];
      const matches = matcherIn(block, this.conditions);
      for (let row = 0; row < block.ids.length; row++)
        if ((!rootsOnly || block.parents[row] < 0) && matches(row)) this.visit(block, row);
      budget -= block.ids.length + 1 + workOfIndex(this.conditions);
    }
    return this.visited >= this.blocks.length;
  }
}

/** Returns the work to read the index of a block, in visits of a provider. */
function workOfIndex({ own, inTree }: ProviderConditions): number {
  const clauses = [own.requiredTraits, own.memberOf, inTree.traits, inTree.aggregates];
  return clauses.reduce((sum, { idCount }) => sum + idCount, 0) >> 4;
}

/** Returns the check of the conditions for the rows of one block. It reads the index of the block once. */
function matcherIn(block: Block, conditions: ProviderConditions): (row: number) => boolean {
  const { trees, inTree, own, resources } = conditions;
  const { index } = block;
  const traits = [...inTree.traits.sets, ...own.requiredTraits.sets];
  const aggregates = [...inTree.aggregates.sets, ...own.memberOf.sets];
  const amounts = [...inTree.resources, ...resources];
  const isAny = trees === null && [traits, aggregates, amounts].every(({ length }) => length === 0);
  if (isAny) return (row) => providerMatches(block, row, conditions);
  const treeSets = [
    ...traits.map(({ ids }) => treesWithAny(index.traits, ids)),
    ...aggregates.map(({ ids }) => treesWithAny(index.aggregates, ids)),
  ];
  const isPossible = (tree: number): boolean =>
    (trees === null || trees.has(block.firstTree + tree)) &&
    treeSets.every((trees) => hasBit(trees, tree)) &&
    amounts.every((each) => (index.classes.get(each.resourceClass)?.largestFree[tree] ?? 0) >= each.amount) &&
    inTree.resources.every((each) => someProviderTakes(block, tree, each));
  const possible = Array.from({ length: block.treeStarts.length - 1 }, (_, tree) => isPossible(tree));
  return (row) => possible[block.trees[row]] && providerMatches(block, row, conditions);
}

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

function someProviderTakes(block: Block, tree: number, wanted: PlannedAmount): boolean {
  for (let row = block.treeStarts[tree]; row < block.treeStarts[tree + 1]; row++)
    if (takes(block, row, wanted)) return true;
  return false;
}

function takes(block: Block, row: number, wanted: PlannedAmount): boolean {
  return amountConstraintsSatisfied(block, row, wanted) === ALL_SATISFIED;
}
