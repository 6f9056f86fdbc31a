import { ExhaustiveSearch, type Limits, type Outcome } from './exhaustiveSearch.js';
import { PlacementState, type Step } from './placementState.js';
import type { Problem } from './problem.js';
import { RuleCounts, type Fixed } from './ruleCounts.js';

/** A question: is there a way to place the consumers that meets all of this? */
export interface Goal {
  /** By member: the requests that it may use, in order of preference. */
  readonly allowed: readonly (readonly number[])[];
  /** By rule: the maximum number of domains. */
  readonly packLimits: readonly number[];
  readonly ignored: ReadonlySet<number>;
  readonly maxSkipped: number;
  readonly work: number;
}

/** Answers goals. Chooses the domains of SAME rules and the trees of SAME_TREE members, then searches inside. */
export class Feasibility {
  constructor(
    private readonly problem: Problem,
    private readonly eligible: readonly ReadonlySet<number>[],
  ) {}

  /** Finds a way to place the consumers; returns null if there is none, undefined if the work ran out. */
  *solve(goal: Goal): Generator<void, readonly Step[] | null | undefined> {
    let found: readonly Step[] | undefined;
    const outcome = yield* this.enumerate(goal, (steps) => {
      found = [...steps];
      return false;
    });
    return outcome === 'IMPOSSIBLE' ? null : found;
  }

  /** Passes ways to `onFound` while it returns true. IMPOSSIBLE: there are no (further) ways. */
  *enumerate(
    goal: Goal,
    onFound: (steps: readonly Step[], state: PlacementState) => boolean,
    isScored = false,
  ): Generator<void, Outcome> {
    const stopAt = this.problem.effort.spent + goal.work;
    let isCut = false;
    for (const fixed of this.choices(goal)) {
      const state = new PlacementState(this.problem, new RuleCounts(this.problem, fixed, this.eligible));
      const limits: Limits = {
        allowed: goal.allowed,
        order: this.hardestFirst(goal),
        maxSkipped: goal.maxSkipped,
        treesFor: this.treesIn(fixed),
        work: stopAt - this.problem.effort.spent,
      };
      const search = new ExhaustiveSearch(
        this.problem,
        state,
        limits,
        (steps) => onFound(steps, state),
        isScored,
      );
      const outcome = yield* search.run();
      if (outcome === 'FOUND') return 'FOUND';
      if (outcome === 'UNDECIDED') isCut = true;
    }
    return isCut ? 'UNDECIDED' : 'IMPOSSIBLE';
  }

  private hardestFirst({ allowed }: Goal): number[] {
    const { members, alternatives, rules } = this.problem;
    const slack = members.map(({ count, placement, rules: own }, member) => {
      const isBound = placement === 'SAME_TREE' || own.some((rule) => rules[rule].kind === 'SAME');
      const trees = allowed[member].reduce(
        (sum, at) => sum + alternatives[member][at]!.trees.all().length,
        0,
      );
      return (trees / count) * (isBound ? 0.1 : 1);
    });
    return [...members.keys()].sort((a, b) => slack[a] - slack[b] || a - b);
  }

  /** Yields all choices of domains for SAME rules and of trees for SAME_TREE members. */
  private *choices({ packLimits, ignored, allowed }: Goal): Generator<Fixed> {
    const { rules, members, levels, alternatives } = this.problem;
    const lists = [
      ...rules.map(({ kind }, rule) =>
        kind === 'SAME' && !ignored.has(rule) ? [...levels[rule].treesByDomain().keys()] : [null],
      ),
      ...members.map(({ placement }, member) =>
        placement === 'SAME_TREE'
          ? [...new Set(allowed[member].flatMap((at) => alternatives[member][at]!.trees.all()))]
          : [null],
      ),
    ].map((list) => (list.length === 0 ? [NOWHERE] : list));
    for (const choice of product<number | null>(lists))
      yield {
        domains: choice.slice(0, rules.length),
        trees: choice.slice(rules.length),
        packLimits,
        ignored,
      };
  }

  private treesIn({ domains, trees }: Fixed): Limits['treesFor'] {
    const { alternatives, members, levels } = this.problem;
    const within = members.map(({ rules }, member) => {
      const sets = rules.flatMap((rule) => {
        const domain = domains[rule];
        return domain === null ? [] : [new Set(levels[rule].treesByDomain().get(domain))];
      });
      const tree = trees[member];
      return tree === null ? sets : [...sets, new Set([tree])];
    });
    const lists = new Map<string, readonly number[]>();
    return (member, alternative) => {
      const key = `${member} ${alternative}`;
      let list = lists.get(key);
      if (list === undefined) {
        const all = alternatives[member][alternative]!.trees.all();
        const sets = within[member];
        list = sets.length === 0 ? all : all.filter((tree) => sets.every((set) => set.has(tree)));
        lists.set(key, list);
      }
      return list;
    };
  }
}

/** Without any domain or tree to choose. */
const NOWHERE = -1;

function* product<T>(lists: readonly (readonly T[])[], chosen: readonly T[] = []): Generator<readonly T[]> {
  if (chosen.length === lists.length) yield chosen;
  else for (const item of lists[chosen.length]) yield* product(lists, [...chosen, item]);
}
