import { addToGroup } from '../../../model/collections.js';
import { countersOf } from '../../../fleet/consumption.js';
import { counterGroups, firstInventory, type CounterGroup } from '../../../fleet/counterGroups.js';
import { freeAt, inventoryAt, type Block, type ProviderRef } from '../../../fleet/snapshot.js';
import { partsOf, type Anchor } from '../../anchor.js';
import type { CandidateAllocation } from '../../anchor.js';
import type { Plan, PlannedAmount } from '../../plan.js';
import type { PlannedStranding } from '../plannedOrder.js';
import { needsOf } from './services.js';
import type { Term, TermBound } from './term.js';

/**
 * The weighted number of units of other classes that fit before a claim and no longer after it, in the groups of counters
 * that the claim consumes. Negated by the direction of the term.
 *
 * The units of a class in a group are the sum of what its partitions could take one by one, but at most what each counter
 * that all of them consume leaves.
 */
export function leastStranding(plan: Plan, order: PlannedStranding, shareable: readonly boolean[]): Term {
  const needs = needsOf(plan, shareable).filter(({ isShareable, canSplit }) => !isShareable && !canSplit);
  const losses = needs.map(() => new LeastLosses());
  const lossOf = ({ block, row }: ProviderRef, resources: readonly PlannedAmount[]): number => {
    const amounts = new Consumed();
    amounts.addUnits(block, row, resources, 1);
    return amounts.lost(order);
  };
  const fits = ({ block, row }: ProviderRef, resources: readonly PlannedAmount[]): boolean =>
    resources.every(({ resourceClass, amount }) => {
      const at = inventoryAt(block, row, resourceClass);
      return at >= 0 && freeAt(block, at) >= amount;
    });
  return {
    variables: plan.variables.flatMap(({ resources }, variable) => (resources.length > 0 ? [variable] : [])),
    key: JSON.stringify(['STRANDING', [...order.weights], [...order.requested], needs]),
    boundBySharing: null,
    /** A claim loses at least what the need loses that loses most at its best provider. */
    boundOfTree({ treeIndex, block, start, end }) {
      const tree = treeIndex - block.firstTree;
      let least = 0;
      for (const [need, { resources }] of needs.entries()) {
        const leastLoss = (rows: Iterable<number>): number => {
          let best = Infinity;
          for (const row of rows)
            if (best > 0 && fits({ block, row }, resources))
              best = Math.min(best, lossOf({ block, row }, resources));
          return best;
        };
        const best =
          resources.length === 1
            ? losses[need].inTree(block, tree, resources[0].resourceClass, leastLoss)
            : leastLoss(rowsFrom(start, end));
        if (best === Infinity) return -Infinity;
        least = Math.max(least, best);
      }
      return -least;
    },
    preferences: ({ providers, domains }) => {
      const losses = providers.map(() => 0);
      domains.forEach((domain, variable) => {
        const { resources, canSplit } = plan.variables[variable];
        if (resources.length === 0 || canSplit) return;
        for (const value of domain)
          losses[value] = Math.max(losses[value] ?? 0, lossOf(providers[value], resources));
      });
      return losses.map((loss) => -loss);
    },
    boundAt: (anchor) => new StrandingBound(plan, order, anchor),
  };
}

/** Returns the value of a candidate, before the usage in its blocks; or after it, if they contain the allocations. */
export function strandedBy(
  order: PlannedStranding,
  allocations: readonly CandidateAllocation[],
  blockOf: (allocation: CandidateAllocation) => Block,
  isClaimed: boolean,
): number {
  const amounts = new Consumed();
  for (const allocation of allocations) {
    const block = blockOf(allocation);
    for (const { resourceClass, amount } of allocation.resources)
      amounts.add(block, inventoryAt(block, allocation.provider.row, resourceClass), amount);
  }
  return amounts.lost(order, isClaimed);
}

function* rowsFrom(start: number, end: number): Generator<number> {
  for (let row = start; row < end; row++) yield row;
}

/**
 * The least losses of a class in the groups of counters. Groups in the same state have the same loss, such as equal cards
 * of equal hosts.
 */
class LeastLosses {
  private readonly known = new Map<CounterGroup, Map<string, number>>();

  /** @param leastLoss computes the least loss of rows; Infinity if none fits */
  inTree(
    block: Block,
    tree: number,
    resourceClass: number,
    leastLoss: (rows: Iterable<number>) => number,
  ): number {
    const { treeStarts, inventoryStarts, classes } = block;
    const consumption = block.consumption?.[tree] ?? null;
    if (consumption === null) return leastLoss(rowsFrom(treeStarts[tree], treeStarts[tree + 1]));
    const base = firstInventory(block, tree);
    const { groups, groupOf } = counterGroups(consumption);
    const rows = new Map<CounterGroup | undefined, number[]>();
    for (let row = treeStarts[tree]; row < treeStarts[tree + 1]; row++)
      for (let at = inventoryStarts[row]; at < inventoryStarts[row + 1]; at++)
        if (classes[at] === resourceClass) addToGroup(rows, groups[groupOf.get(at - base) ?? -1], row);
    let best = Infinity;
    for (const [group, own] of rows)
      best = Math.min(
        best,
        group === undefined
          ? leastLoss(own)
          : this.inGroup(group, stateOf(block, base, group), () => leastLoss(own)),
      );
    return best;
  }

  private inGroup(group: CounterGroup, state: string, leastLoss: () => number): number {
    let losses = this.known.get(group);
    if (losses === undefined) this.known.set(group, (losses = new Map<string, number>()));
    let loss = losses.get(state);
    if (loss === undefined) losses.set(state, (loss = leastLoss()));
    return loss;
  }
}

/** Returns everything in a block from which the losses of a group follow. */
function stateOf(block: Block, base: number, { counters, partitions }: CounterGroup): string {
  let text = '';
  for (const counter of counters) text += `${freeAt(block, base + counter)} `;
  for (const { inventory } of partitions) {
    const at = base + inventory;
    text += `${block.classes[at]}:${block.capacities[at] - block.used[at]} `;
  }
  return text;
}

/** What a set of allocations consumes of counters, by block and position. */
class Consumed {
  private readonly amounts = new Map<Block, Map<number, number>>();

  /** Adds an amount of an inventory; other inventories than counters have no effect. */
  add(block: Block, at: number, amount: number): void {
    if (block.consumption === null) return;
    let own = this.amounts.get(block);
    if (own === undefined) this.amounts.set(block, (own = new Map<number, number>()));
    const sum = (own.get(at) ?? 0) + amount;
    if (sum === 0) own.delete(at);
    else own.set(at, sum);
  }

  /** Adds what amounts of a provider consume. */
  addUnits(block: Block, row: number, resources: readonly PlannedAmount[], direction: 1 | -1): void {
    if (block.consumption === null) return;
    for (const { resourceClass, amount: units } of resources) {
      const at = inventoryAt(block, row, resourceClass);
      for (const { counter, amount } of at < 0 ? [] : countersOf(block, at))
        if (counter >= 0) this.add(block, counter, direction * units * amount);
    }
  }

  /** @param isClaimed whether the usage of the blocks contains the amounts */
  lost(order: PlannedStranding, isClaimed = false): number {
    let lost = 0;
    for (const [block, own] of this.amounts) {
      const touched = new Map<string, { tree: number; group: CounterGroup; amounts: number[] }>();
      for (const [at, amount] of own) {
        const tree = treeOfInventory(block, at);
        const consumption = block.consumption![tree];
        if (consumption === null) continue;
        const { groups, placeOf } = counterGroups(consumption);
        const place = placeOf.get(at - firstInventory(block, tree));
        if (place === undefined) continue;
        const [number, position] = place;
        const key = `${tree}.${number}`;
        let entry = touched.get(key);
        if (entry === undefined) {
          const group = groups[number];
          touched.set(key, (entry = { tree, group, amounts: group.counters.map(() => 0) }));
        }
        entry.amounts[position] += amount;
      }
      for (const { tree, group, amounts } of touched.values())
        lost += lostIn(block, firstInventory(block, tree), group, amounts, order, isClaimed);
    }
    return lost;
  }
}

function treeOfInventory({ treeStarts, inventoryStarts }: Block, at: number): number {
  let tree = 0;
  for (let above = treeStarts.length - 1; above - tree > 1;) {
    const middle = (tree + above) >> 1;
    if (inventoryStarts[treeStarts[middle]] <= at) tree = middle;
    else above = middle;
  }
  return tree;
}

/** Returns the weighted units that a group loses when these amounts of its counters are consumed. */
function lostIn(
  block: Block,
  base: number,
  { counters, partitions }: CounterGroup,
  amounts: readonly number[],
  { weights, requested }: PlannedStranding,
  isClaimed: boolean,
): number {
  const now = counters.map((counter) => freeAt(block, base + counter));
  const before = isClaimed ? now.map((free, at) => free + amounts[at]) : now;
  const after = isClaimed ? now : now.map((free, at) => free - amounts[at]);
  const units = new Map<number, Units>();
  for (const { inventory, counters: own } of partitions) {
    const at = base + inventory;
    const resourceClass = block.classes[at];
    if (requested.has(resourceClass)) continue;
    const unused = block.capacities[at] - block.used[at];
    let ofClass = units.get(resourceClass);
    if (ofClass === undefined) units.set(resourceClass, (ofClass = new Units()));
    ofClass.add(unused, own, before, after);
  }
  let lost = 0;
  for (const [resourceClass, each] of units)
    lost += (weights.get(resourceClass) ?? each.size) * each.lost(before, after);
  return lost;
}

/** The units of a class in a group, before and after a claim. */
class Units {
  /** The least sum of the amounts that a unit consumes of counters: larger units weigh more. */
  size = Infinity;
  private before = 0;
  private after = 0;
  /** The counters that all partitions consume, and the smallest amount of a unit. */
  private common: Map<number, number> | null = null;

  add(
    unused: number,
    own: readonly (readonly [position: number, amount: number])[],
    before: readonly number[],
    after: readonly number[],
  ): void {
    this.before += unitsOf(unused, own, before);
    this.after += unitsOf(unused, own, after);
    this.size = Math.min(
      this.size,
      own.reduce((sum, [, amount]) => sum + amount, 0),
    );
    const least = new Map(own);
    if (this.common === null) this.common = least;
    else
      for (const [position, amount] of this.common) {
        const other = least.get(position);
        if (other === undefined) this.common.delete(position);
        else this.common.set(position, Math.min(amount, other));
      }
  }

  lost(before: readonly number[], after: readonly number[]): number {
    const capped = (sum: number, free: readonly number[]): number => {
      let units = sum;
      for (const [position, amount] of this.common ?? [])
        units = Math.min(units, Math.floor(Math.max(0, free[position]) / amount));
      return units;
    };
    return capped(this.before, before) - capped(this.after, after);
  }
}

function unitsOf(
  unused: number,
  own: readonly (readonly [position: number, amount: number])[],
  free: readonly number[],
): number {
  let units = unused;
  for (const [position, amount] of own) units = Math.min(units, Math.floor(free[position] / amount));
  return Math.max(0, units);
}

/** The loss of the assigned variables: more assignments lose no less. */
class StrandingBound implements TermBound {
  private readonly amounts = new Consumed();
  private lost: number | null = null;

  constructor(
    private readonly plan: Plan,
    private readonly order: PlannedStranding,
    private readonly anchor: Anchor,
  ) {}

  move(variable: number, value: number, direction: 1 | -1): void {
    const { resources } = this.plan.variables[variable];
    const { providers } = this.anchor;
    const parts = partsOf(this.anchor, value);
    this.lost = null;
    if (parts === undefined) {
      const { block, row } = providers[value];
      this.amounts.addUnits(block, row, resources, direction);
    } else
      for (const { provider, amount } of parts) {
        const { block, row } = providers[provider];
        this.amounts.addUnits(block, row, [{ ...resources[0], amount }], direction);
      }
  }

  best(): number {
    return -(this.lost ??= this.amounts.lost(this.order));
  }
}
