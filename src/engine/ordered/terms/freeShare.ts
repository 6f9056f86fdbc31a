import type { Plan, PlannedFreeShare } from '../../model/plan.js';
import { freeAt, inventoryAt, type Block, type ProviderRef, type Tree } from '../../model/snapshot.js';
import { partsOf, type Anchor } from '../../search/anchor.js';
import { boundAt, boundByProviders, demandOf, fewestFor, writeTreeBounds, type Demand } from './demand.js';
import type { Term, TermBound } from './term.js';

/** The free share of a class that remains after a claim. */
export class FreeShare implements Term {
  readonly variables: readonly number[];
  readonly key: string;
  readonly boundBySharing: Term['boundBySharing'];
  private readonly demand: Demand;

  constructor(
    private readonly plan: Plan,
    order: PlannedFreeShare,
    shareable: readonly boolean[],
  ) {
    this.demand = demandOf(plan, order);
    this.variables = this.demand.variables;
    this.key = JSON.stringify(this.demand);
    const isShareable = this.variables.some((variable) => shareable[variable]);
    this.boundBySharing = isShareable ? (provider) => boundAt(provider, this.demand) ?? -Infinity : null;
  }

  writeTreeBounds(block: Block, bounds: Float64Array): void {
    writeTreeBounds(block, this.demand, bounds);
  }

  boundOfTree(tree: Tree, sharingProviders: () => readonly ProviderRef[]): number {
    const own = boundByProviders(tree, this.demand);
    if (this.boundBySharing === null) return own;
    return sharingProviders()
      .map(this.boundBySharing)
      .reduce((best, bound) => Math.max(best, bound), own);
  }

  preferences({ providers }: Pick<Anchor, 'providers'>): number[] {
    return providers.map((provider) => boundAt(provider, this.demand) ?? -Infinity);
  }

  boundAt(anchor: Anchor, order: readonly number[]): FreeShareBound {
    return new FreeShareBound(this.plan, this.demand, anchor, order);
  }
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
    const { providers, domains, partitions } = anchor;
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
    this.open = rests.map((rest) => [
      ...new Set(
        rest.flatMap((variable) => [...domains[variable], ...(partitions?.contributorsFor(variable) ?? [])]),
      ),
    ]);
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
