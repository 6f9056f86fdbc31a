import type { Plan } from '../model/plan.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Anchor } from '../search/anchor.js';
import { claimsOf, claimsSplit, claimsWhole, isSharing, mostClaims } from './claimBounds.js';

/** A tree that draws on sharing providers. */
interface LinkedTree {
  readonly most: number;
  /** By variable, how many claims the tree's own providers can serve. */
  readonly own: readonly number[];
  /** One of its sharing providers. */
  readonly sharer: AnchorProvider;
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
  private readonly sharingProviders = new Map<string, { readonly unit: AnchorProvider; parent: string }>();
  /** By sharing provider the variables that it could serve somewhere. */
  private readonly serves = new Map<string, Set<number>>();

  constructor(private readonly plan: Plan) {}

  /** One more tree, as it is before anything is taken. */
  add(anchor: Anchor): void {
    const most = mostClaims(this.plan, anchor);
    const shared = anchor.providers.filter(isSharing);
    if (shared.length === 0) {
      this.apart += most;
      return;
    }
    const isOwn = (provider: AnchorProvider): boolean => !isSharing(provider);
    const all = [...this.plan.variables.keys()];
    const own = all.map(
      (one) => claimsWhole(this.plan, anchor, one, isOwn) + claimsSplit(this.plan, anchor, one, isOwn),
    );
    this.linked.push({ most, own, sharer: shared[0] });
    this.connect(anchor, shared);
  }

  /** Pauses now and then, as there may be many trees. */
  *total(): Generator<void, number> {
    const trees = new Map<string, LinkedTree[]>();
    for (const [at, tree] of this.linked.entries()) {
      if (at % PIECE === PIECE - 1) yield;
      addTo(trees, this.find(keyOf(tree.sharer)), tree);
    }
    const sharingProviders = new Map<string, string[]>();
    for (const key of this.sharingProviders.keys()) addTo(sharingProviders, this.find(key), key);
    let total = this.apart;
    for (const [key, connected] of trees) {
      yield;
      total += this.together(connected, sharingProviders.get(key)!);
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
        .reduce((sum, key) => sum + claimsOf(this.sharingProviders.get(key)!.unit, plan, variable), 0);
      most = Math.min(most, own + shared);
    });
    return most;
  }

  private connect({ providers, domains }: Anchor, shared: readonly AnchorProvider[]): void {
    const first = keyOf(shared[0]);
    for (const provider of shared) {
      const key = keyOf(provider);
      if (!this.sharingProviders.has(key)) {
        this.sharingProviders.set(key, { unit: provider, parent: key });
        this.serves.set(key, new Set());
      }
      const at = providers.indexOf(provider);
      domains.forEach((domain, variable) => {
        if (domain.includes(at)) this.serves.get(key)!.add(variable);
      });
      this.sharingProviders.get(this.find(key))!.parent = this.find(first);
    }
  }

  private find(key: string): string {
    let top = key;
    while (this.sharingProviders.get(top)!.parent !== top) top = this.sharingProviders.get(top)!.parent;
    this.sharingProviders.get(key)!.parent = top;
    return top;
  }
}

function keyOf({ treeIndex, row }: AnchorProvider): string {
  return `${treeIndex}.${row}`;
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
