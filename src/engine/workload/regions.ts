import { addToGroup } from '../../domain/collections.js';
import { quickClaims } from './bounds.js';
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

/** Divides the trees by their domains. */
export class Regions {
  private readonly byRules = new Map<string, readonly Region[]>();

  constructor(private readonly problem: Problem) {}

  *of(rules: readonly number[]): Generator<void, readonly Region[]> {
    const { levels } = this.problem;
    const key = rules.map((rule) => levels.indexOf(levels[rule])).join();
    let regions = this.byRules.get(key);
    if (regions === undefined) this.byRules.set(key, (regions = yield* this.read(rules)));
    return regions;
  }

  /** Returns an estimate of the consumers that the region can take; 0 if it can take none. */
  sizeOf({ trees, sizes }: Region, member: number, alternative: number): number {
    const key = `${member} ${alternative}`;
    let size = sizes.get(key);
    if (size === undefined) {
      const request = this.problem.alternatives[member][alternative]!;
      size = trees.reduce(
        (sum, tree) => sum + Math.min(MAX_CLAIMS, quickClaims(this.problem.snapshot, request, tree)),
        0,
      );
      this.problem.effort.treesTested += trees.length;
      sizes.set(key, size);
    }
    return size;
  }

  private *read(rules: readonly number[]): Generator<void, readonly Region[]> {
    const { levels, snapshot, effort } = this.problem;
    const groups = new Map<string, number[]>();
    for (let tree = 0; tree < snapshot.treeCount; tree++) {
      effort.otherWork++;
      if (effort.isUsedUp) yield;
      addToGroup(groups, rules.map((rule) => levels[rule].domainsIn(tree).join('+')).join('/'), tree);
    }
    return Array.from(groups.values(), (trees) => ({
      domains: rules.map((rule) => levels[rule].domainsIn(trees[0])),
      trees,
      sizes: new Map<string, number>(),
    }));
  }
}
