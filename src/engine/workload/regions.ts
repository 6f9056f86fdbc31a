import { addToGroup } from '../../domain/collections.js';
import type { Plan } from '../model/plan.js';
import { blockOf } from '../model/snapshot.js';
import type { Problem } from './problem.js';

/** Trees in the same domains of some rules. */
export interface Region {
  readonly key: string;
  /** By rule. */
  readonly domains: readonly (readonly number[])[];
  readonly trees: readonly number[];
}

/** Divides the trees by their domains. */
export class Regions {
  private readonly byRules = new Map<string, readonly Region[]>();
  private readonly sizes = new Map<string, number>();

  constructor(private readonly problem: Problem) {}

  of(rules: readonly number[]): readonly Region[] {
    const key = rules.join();
    let regions = this.byRules.get(key);
    if (regions === undefined) this.byRules.set(key, (regions = this.read(rules)));
    return regions;
  }

  /** Returns an estimate of the consumers that the region can take; 0 if it can take none. */
  sizeOf({ key, trees }: Region, member: number, alternative: number): number {
    const sizeKey = `${key};${member} ${alternative}`;
    let size = this.sizes.get(sizeKey);
    if (size === undefined) {
      const { filter, plan } = this.problem.alternatives[member][alternative]!;
      size = trees.reduce((sum, tree) => sum + (filter.passes(tree) ? this.estimate(plan, tree) : 0), 0);
      this.problem.effort.treesTested += trees.length;
      this.sizes.set(sizeKey, size);
    }
    return size;
  }

  private estimate({ variables }: Plan, treeIndex: number): number {
    const { firstTree, index } = blockOf(this.problem.snapshot, treeIndex);
    let least = 1000;
    for (const { resources } of variables) {
      for (const { resourceClass, amount } of resources) {
        const free = index.classes.get(resourceClass)?.totalFree[treeIndex - firstTree] ?? 0;
        least = Math.min(least, Math.floor(free / amount));
      }
    }
    return Math.max(1, least);
  }

  private read(rules: readonly number[]): readonly Region[] {
    const { levels, snapshot } = this.problem;
    const groups = new Map<string, number[]>();
    for (let tree = 0; tree < snapshot.treeCount; tree++)
      addToGroup(groups, rules.map((rule) => levels[rule].domainsIn(tree).join('+')).join('/'), tree);
    return Array.from(groups, ([key, trees]) => ({
      key: `${rules.join()}:${key}`,
      domains: rules.map((rule) => levels[rule].domainsIn(trees[0])),
      trees,
    }));
  }
}
