import { saturatingSum } from '../../../model/input.js';
import { amountOf, type Plan } from '../../plan.js';
import type { PlannedFreeShare } from '../plannedOrder.js';
import { freeAt, inventoryAt, type Block, type ProviderRef } from '../../../fleet/snapshot.js';
import { partsOf, providersFor, type Anchor } from '../../anchor.js';
import { fewestFor } from './services.js';
import type { Term, TermBound } from './term.js';

/** The amount that every candidate allocates of the class that orders the candidates. */
interface Demand extends PlannedFreeShare {
  readonly variables: readonly number[];
  readonly amount: number;
  /** The free amount that a provider needs to serve any of the variables. */
  readonly least: number;
  /** The minimum and maximum number of providers that the amount can come from. */
  readonly fewest: number;
  readonly most: number;
}

function demandOf(plan: Plan, order: PlannedFreeShare): Demand {
  const requested = plan.variables.map(({ resources }) => amountOf(resources, order.resourceClass));
  const variables = [...requested.keys()].filter((variable) => requested[variable] > 0);
  const amounts = variables.map((variable) => requested[variable]);
  const isSplit = variables.some((variable) => plan.variables[variable].canSplit);
  return {
    ...order,
    variables,
    amount: amounts.reduce(saturatingSum, 0),
    least: isSplit ? 1 : Math.min(...amounts),
    fewest: Math.max(1, variables.filter((variable) => plan.isolation?.alone.has(variable)).length),
    most: isSplit ? Infinity : variables.length,
  };
}

/** The free share of a class that remains after a claim. */
export function freeShare(plan: Plan, order: PlannedFreeShare, shareable: readonly boolean[]): Term {
  const demand = demandOf(plan, order);
  const { direction, resourceClass, variables, amount, least } = demand;
  const count = direction > 0 ? demand.most : demand.fewest;

  /**
   * Returns the score of a candidate on the best number of providers with these amounts. No candidate scores
   * above the largest bound of its providers.
   */
  const boundOf = (free: number, capacity: number): number => {
    if (count === Infinity) return direction * (free / capacity);
    const left = count * free - amount;
    return left > 0 ? direction * (left / (count * capacity)) : 0;
  };
  /** Returns -Infinity if the provider can serve none of the variables. */
  const boundOfProvider = ({ block, row }: ProviderRef): number => {
    const at = inventoryAt(block, row, resourceClass);
    const free = at < 0 ? 0 : freeAt(block, at);
    return free < least ? -Infinity : boundOf(free, block.capacities[at]);
  };
  const boundOfRows = (block: Block, start: number, end: number): number => {
    let best = -Infinity;
    for (let row = start; row < end; row++) best = Math.max(best, boundOfProvider({ block, row }));
    return best;
  };
  const boundBySharing = variables.some((variable) => shareable[variable]) ? boundOfProvider : null;
  return {
    variables,
    key: JSON.stringify(demand),
    boundBySharing,
    /** Reads providers only if their capacities differ or, for PACK, if the fullest of them cannot serve. */
    writeTreeBounds(block, bounds) {
      const index = block.index.classes.get(resourceClass);
      if (index === undefined) {
        bounds.fill(-Infinity);
        return;
      }
      const { treeStarts } = block;
      const { highestFree, commonCapacity } = index;
      const bestFree = direction > 0 ? highestFree : index.lowestFree;
      for (let tree = 0; tree < bounds.length; tree++) {
        const capacity = commonCapacity[tree];
        const free = bestFree[tree];
        if (highestFree[tree] < least) bounds[tree] = -Infinity;
        else if (capacity > 0 && free >= least) bounds[tree] = boundOf(free, capacity);
        else bounds[tree] = boundOfRows(block, treeStarts[tree], treeStarts[tree + 1]);
      }
    },
    boundOfTree({ block, start, end }, sharingProviders) {
      const own = boundOfRows(block, start, end);
      if (boundBySharing === null) return own;
      return sharingProviders()
        .map(boundBySharing)
        .reduce((best, bound) => Math.max(best, bound), own);
    },
    preferences: ({ providers }) => providers.map(boundOfProvider),
    boundAt: (anchor, assigned) => new FreeShareBound(plan, demand, anchor, assigned),
  };
}

/** All candidates allocate the same total of the class, so the score depends only on the set of providers. */
class FreeShareBound implements TermBound {
  private readonly free: Float64Array;
  private readonly capacity: Float64Array;
  /** By provider: the number of variables that allocate the class from it. */
  private readonly uses: Uint16Array;
  /** By number of assigned variables: the providers that could serve the unassigned variables. */
  private readonly open: readonly (readonly number[])[];
  /** By number of assigned variables: how many providers the unassigned variables can add. */
  private readonly openCount: readonly number[];
  private readonly fewest: number;
  private assigned = 0;
  /** Sums over the providers in use. */
  private count = 0;
  private freeSum = 0;
  private capacitySum = 0;

  constructor(
    plan: Plan,
    private readonly demand: Demand,
    private readonly anchor: Anchor,
    order: readonly number[],
  ) {
    const { providers } = anchor;
    this.free = new Float64Array(providers.length);
    this.capacity = new Float64Array(providers.length);
    this.uses = new Uint16Array(providers.length);
    const largest: number[] = [];
    providers.forEach(({ block, row }, provider) => {
      const at = inventoryAt(block, row, demand.resourceClass);
      if (at < 0) return;
      this.free[provider] = freeAt(block, at);
      this.capacity[provider] = block.capacities[at];
      largest.push(Math.min(this.free[provider], block.maxUnits[at]));
    });
    this.fewest = Math.max(demand.fewest, fewestFor(demand.amount, largest));
    const variables = order.filter((variable) => demand.variables.includes(variable));
    const rests = [...variables, -1].map((_, at) => variables.slice(at));
    this.open = rests.map((rest) => [...new Set(rest.flatMap((variable) => providersFor(anchor, variable)))]);
    this.openCount = rests.map((rest) =>
      rest.some((variable) => plan.variables[variable].canSplit) ? Infinity : rest.length,
    );
  }

  move(variable: number, value: number, direction: 1 | -1): void {
    if (!this.demand.variables.includes(variable)) return;
    this.assigned += direction;
    const parts = partsOf(this.anchor, value);
    if (parts === undefined) this.use(value, direction);
    else for (const { provider } of parts) this.use(provider, direction);
  }

  private use(provider: number, direction: 1 | -1): void {
    const before = this.uses[provider];
    this.uses[provider] += direction;
    if ((before === 0) === (this.uses[provider] === 0)) return;
    this.count += direction;
    this.freeSum += direction * this.free[provider];
    this.capacitySum += direction * this.capacity[provider];
  }

  /** Returns the best score of any set of providers that extends those in use. */
  best(): number {
    let best = -Infinity;
    for (let score = this.improved(this.demand.direction > 0 ? 0 : -1); score > best;) {
      best = score;
      score = this.improved(best);
    }
    return best;
  }

  /**
   * One step of Dinkelbach's method: with free f and capacity c of each provider and the amount a, a set
   * has (sum of f - a) / (sum of c) > q if and only if the maximum of (sum of f - q c) - a over all sets
   * is positive. That maximum takes each provider with f - q c > 0. Returns its score.
   */
  improved(score: number): number {
    const { direction, amount } = this.demand;
    const fraction = Math.abs(score);
    const gains: { gain: number; provider: number }[] = [];
    for (const provider of this.open[this.assigned]) {
      if (this.uses[provider] === 0) {
        const gain = direction * (this.free[provider] - fraction * this.capacity[provider]);
        gains.push({ gain, provider });
      }
    }
    gains.sort((a, b) => b.gain - a.gain);
    const most = Math.min(this.openCount[this.assigned], gains.length);
    let { count, freeSum, capacitySum } = this;
    for (let at = 0; at < most; at++, count++) {
      if (gains[at].gain <= 0 && count >= this.fewest) break;
      freeSum += this.free[gains[at].provider];
      capacitySum += this.capacity[gains[at].provider];
    }
    return direction * Math.max(0, (freeSum - amount) / capacitySum);
  }
}
