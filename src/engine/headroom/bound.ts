import type { Plan } from '../plan.js';
import type { Reach, Unit } from '../reach.js';
import { claimsOf, claimsSplit, claimsWhole, isSharing, mostClaims } from './supply.js';

/** A tree that draws on sharing providers. */
interface LinkedTree {
  readonly most: number;
  /** By variable, how many claims the tree's own providers can serve. */
  readonly own: readonly number[];
  /** One of its sharing providers. */
  readonly sharer: Unit;
}

/** Trees to be sorted between two pauses. */
const PIECE = 1_000;

/**
 * The most claims that all trees together can take, of which is proven that there are no more. Trees that share nothing add up.
 * Those that draw on the same sharing providers are taken together: what shares is there once.
 */
export class UpperBound {
  private apart = 0;
  private readonly linked: LinkedTree[] = [];
  /** Sharing providers as they were before anything was taken, and what they are connected with. */
  private readonly sharers = new Map<string, { readonly unit: Unit; parent: string }>();
  /** By sharing provider the variables that it could serve somewhere. */
  private readonly serves = new Map<string, Set<number>>();

  constructor(private readonly plan: Plan) {}

  /** One more tree, as it is before anything is taken. */
  add(reach: Reach): void {
    const most = mostClaims(this.plan, reach);
    const shared = reach.units.filter(isSharing);
    if (shared.length === 0) {
      this.apart += most;
      return;
    }
    const isOwn = (unit: Unit): boolean => !isSharing(unit);
    const all = [...this.plan.variables.keys()];
    const own = all.map(
      (one) => claimsWhole(this.plan, reach, one, isOwn) + claimsSplit(this.plan, reach, one, isOwn),
    );
    this.linked.push({ most, own, sharer: shared[0] });
    this.connect(reach, shared);
  }

  /** Pauses now and then, as there may be many trees. */
  *total(): Generator<void, number> {
    const trees = new Map<string, LinkedTree[]>();
    for (const [at, tree] of this.linked.entries()) {
      if (at % PIECE === PIECE - 1) yield;
      addTo(trees, this.find(keyOf(tree.sharer)), tree);
    }
    const sharers = new Map<string, string[]>();
    for (const key of this.sharers.keys()) addTo(sharers, this.find(key), key);
    let total = this.apart;
    for (const [key, connected] of trees) {
      yield;
      total += this.together(connected, sharers.get(key)!);
    }
    return total;
  }

  /** Trees that are connected by who shares with them: of every variable, what is their own and what is shared. */
  private together(trees: readonly LinkedTree[], keys: readonly string[]): number {
    const { plan } = this;
    let most = trees.reduce((sum, tree) => sum + tree.most, 0);
    plan.variables.forEach((_, variable) => {
      const own = trees.reduce((sum, tree) => sum + Math.min(tree.most, tree.own[variable]), 0);
      const shared = keys
        .filter((key) => this.serves.get(key)!.has(variable))
        .reduce((sum, key) => sum + claimsOf(this.sharers.get(key)!.unit, plan, variable), 0);
      most = Math.min(most, own + shared);
    });
    return most;
  }

  private connect({ units, domains }: Reach, shared: readonly Unit[]): void {
    const first = keyOf(shared[0]);
    for (const unit of shared) {
      const key = keyOf(unit);
      if (!this.sharers.has(key)) {
        this.sharers.set(key, { unit, parent: key });
        this.serves.set(key, new Set());
      }
      const at = units.indexOf(unit);
      domains.forEach((domain, variable) => {
        if (domain.includes(at)) this.serves.get(key)!.add(variable);
      });
      this.sharers.get(this.find(key))!.parent = this.find(first);
    }
  }

  private find(key: string): string {
    let top = key;
    while (this.sharers.get(top)!.parent !== top) top = this.sharers.get(top)!.parent;
    this.sharers.get(key)!.parent = top;
    return top;
  }
}

function keyOf({ slot, row }: Unit): string {
  return `${slot}.${row}`;
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
