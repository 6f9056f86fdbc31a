import { addToGroup } from '../../model/collections.js';
import { quickClaims } from './bounds.js';
import type { Level } from './levels.js';
import type { Problem } from './problem.js';

/** Trees in the same domains of some rules. */
export interface Region {
  /** By rule. */
  readonly domains: readonly (readonly number[])[];
  readonly trees: readonly number[];
  /** The results of `sizeOf`. */
  readonly sizes: Map<string, number>;
}

/** The maximum estimate for one tree. The index has no bound if sharing providers can serve all. */
const MAX_CLAIMS = 1000;

/** Regions that can take this many times a member are equally good. The estimate does not read the rest of them. */
const ENOUGH = 8;

/** The number of trees that are divided in the time of a unit of effort. */
const TREES_PER_WORK = 8;

/** Keys of the domains of each tree. */
class DomainLists {
  /** By tree: the only domain, counted from 1; 0: none. Null if a tree has several. */
  private readonly only: Float64Array | null = null;

  constructor(
    private readonly level: Level,
    treeCount: number,
  ) {
    if (level.maxPerTree > 1) return;
    this.only = new Float64Array(treeCount);
    for (const [domain, trees] of level.treesByDomain) for (const tree of trees) this.only[tree] = domain + 1;
  }

  /** Returns a key that is equal for trees in the same domains. */
  keyOf(tree: number): string | number {
    return this.only === null ? this.level.domainsIn(tree).join('+') : this.only[tree];
  }
}

/** Returns the domains of a level as regions. Omits the trees outside. */
function domainsOf(level: Level): Region[] {
  return Array.from(level.treesByDomain, ([domain, trees]) => ({
    domains: [[domain]],
    trees,
    sizes: new Map<string, number>(),
  }));
}

/** Divides the trees by their domains. */
export class Regions {
  private readonly byRules = new Map<string, readonly Region[]>();

  constructor(private readonly problem: Problem) {}

  *of(rules: readonly number[]): Generator<void, readonly Region[]> {
    const { levels, rules: all } = this.problem;
    const [first] = rules;
    const isSimple = rules.length === 1 && levels[first].maxPerTree === 1 && !all[first].allowOutside;
    const key = `${isSimple} ${rules.map((rule) => levels.indexOf(levels[rule])).join()}`;
    let regions = this.byRules.get(key);
    if (regions === undefined) {
      regions = isSimple ? domainsOf(levels[first]) : yield* this.read(rules);
      this.byRules.set(key, regions);
    }
    return regions;
  }

  /** Returns an estimate of the consumers that the region can take, up to ENOUGH times the member; 0: none. */
  sizeOf({ trees, sizes }: Region, member: number, alternative: number): number {
    const key = `${member} ${alternative}`;
    let size = sizes.get(key);
    if (size === undefined) {
      const { snapshot, members, alternatives, effort } = this.problem;
      const request = alternatives[member][alternative]!;
      const most = ENOUGH * members[member].count;
      size = 0;
      for (const tree of trees) {
        size = Math.min(most, size + Math.min(MAX_CLAIMS, quickClaims(snapshot, request, tree)));
        effort.treesTested++;
        if (size === most) break;
      }
      sizes.set(key, size);
    }
    return size;
  }

  private *read(rules: readonly number[]): Generator<void, readonly Region[]> {
    const { levels, snapshot, effort } = this.problem;
    const lists = rules.map((rule) => new DomainLists(levels[rule], snapshot.treeCount));
    const groups = new Map<string | number, number[]>();
    const [first] = lists;
    for (let tree = 0; tree < snapshot.treeCount; tree++) {
      if (tree % TREES_PER_WORK === 0) effort.otherWork++;
      if (effort.isUsedUp) yield;
      const key = lists.length === 1 ? first.keyOf(tree) : lists.map((list) => list.keyOf(tree)).join('/');
      addToGroup(groups, key, tree);
    }
    return Array.from(groups.values(), (trees) => ({
      domains: rules.map((rule) => levels[rule].domainsIn(trees[0])),
      trees,
      sizes: new Map<string, number>(),
    }));
  }
}
