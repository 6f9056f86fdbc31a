import type { Plan } from '../model/plan.js';
import { isSharing } from '../model/providerChecks.js';
import type { AnchorProvider } from '../model/candidate.js';
import type { Anchor } from '../search/anchor.js';
import { claimsOf, claimsServed, maxClaims } from './claimBounds.js';

interface LinkedTree {
  readonly maxClaims: number;
  /** By variable: how many claims the tree's own providers can serve. */
  readonly own: readonly number[];
  readonly sharingKey: string;
}

/** A sharing provider before any simulated claim, as a node of a union-find forest. */
interface SharingNode {
  readonly provider: AnchorProvider;
  readonly variables: Set<number>;
  parent: string;
}

/** Trees that sharing providers connect. */
interface Component {
  readonly trees: LinkedTree[];
  readonly sharing: SharingNode[];
}

const TREES_PER_STEP = 1_000;

/**
 * An upper bound of the claims that all trees together can take. Trees that the same sharing providers
 * serve form a component, in which those providers count once.
 */
export class UpperBound {
  private disjoint = 0;
  private readonly linked: LinkedTree[] = [];
  private readonly sharing = new Map<string, SharingNode>();

  constructor(private readonly plan: Plan) {}

  add(anchor: Anchor): void {
    const max = maxClaims(this.plan, anchor);
    const sharing = anchor.providers.filter(isSharing);
    if (sharing.length === 0) {
      this.disjoint += max;
      return;
    }
    const own = this.plan.variables.map((_, variable) =>
      claimsServed(this.plan, anchor, variable, (provider) => !isSharing(provider)),
    );
    this.linked.push({ maxClaims: max, own, sharingKey: keyOf(sharing[0]) });
    this.connect(anchor, sharing);
  }

  *total(): Generator<void, number> {
    const components = new Map<string, Component>();
    const componentOf = (key: string): Component => {
      const root = this.find(key);
      const component = components.get(root) ?? { trees: [], sharing: [] };
      components.set(root, component);
      return component;
    };
    for (const [key, node] of this.sharing) componentOf(key).sharing.push(node);
    for (const [at, tree] of this.linked.entries()) {
      if (at % TREES_PER_STEP === TREES_PER_STEP - 1) yield;
      componentOf(tree.sharingKey).trees.push(tree);
    }
    let total = this.disjoint;
    for (const component of components.values()) {
      yield;
      total += this.boundOf(component);
    }
    return total;
  }

  /** Every claim needs each variable, from a tree's own providers or from shared ones. */
  private boundOf({ trees, sharing }: Component): number {
    const { plan } = this;
    let bound = trees.reduce((sum, tree) => sum + tree.maxClaims, 0);
    plan.variables.forEach((_, variable) => {
      const own = trees.reduce((sum, tree) => sum + Math.min(tree.maxClaims, tree.own[variable]), 0);
      const shared = sharing
        .filter(({ variables }) => variables.has(variable))
        .reduce((sum, { provider }) => sum + claimsOf(provider, plan, variable), 0);
      bound = Math.min(bound, own + shared);
    });
    return bound;
  }

  private connect({ providers, domains }: Anchor, sharing: readonly AnchorProvider[]): void {
    for (const provider of sharing) {
      const key = keyOf(provider);
      const node = this.sharing.get(key) ?? { provider, variables: new Set(), parent: key };
      this.sharing.set(key, node);
      const at = providers.indexOf(provider);
      domains.forEach((domain, variable) => {
        if (domain.includes(at)) node.variables.add(variable);
      });
      this.sharing.get(this.find(key))!.parent = this.find(keyOf(sharing[0]));
    }
  }

  private find(key: string): string {
    let root = key;
    while (this.sharing.get(root)!.parent !== root) root = this.sharing.get(root)!.parent;
    this.sharing.get(key)!.parent = root;
    return root;
  }
}

function keyOf({ treeIndex, row }: AnchorProvider): string {
  return `${treeIndex}.${row}`;
}
