import { addToGroup } from '../model/collections.js';
import type { Plan, PlannedAmount } from './plan.js';
import { treeOf, type ProviderRef, type Snapshot, type Tree } from '../fleet/snapshot.js';

/** A provider of the anchor's tree, or a sharing provider of another tree. */
export interface AnchorProvider extends ProviderRef {
  readonly treeIndex: number;
}

/** A solution: the assignment of each variable, in the plan's order. */
export interface Candidate {
  readonly assignments: readonly Assignment[];
  /** The value by each term of the order. Set if the providers' block may have changed since. */
  readonly values?: readonly number[];
}

export type Assignment = AnchorProvider | PartitionedAmount;

/** One amount, split over several providers of the anchor's tree. */
export interface PartitionedAmount {
  readonly parts: readonly { readonly provider: AnchorProvider; readonly amount: number }[];
}

export function isPartitioned(assignment: Assignment): assignment is PartitionedAmount {
  return 'parts' in assignment;
}

export interface CandidateAllocation {
  readonly provider: AnchorProvider;
  readonly resources: readonly PlannedAmount[];
}

export interface CandidateMapping {
  readonly suffix: string;
  readonly providers: readonly AnchorProvider[];
}

/** Returns the sums per provider and class over all groups (rule 156). */
export function allocationsOf({ variables }: Plan, { assignments }: Candidate): CandidateAllocation[] {
  const amounts = new Map<AnchorProvider, (readonly PlannedAmount[])[]>();
  const allocate = (provider: AnchorProvider, resources: readonly PlannedAmount[]): void =>
    addToGroup(amounts, provider, resources);
  for (let at = 0; at < variables.length; at++) {
    const { resources } = variables[at];
    const assignment = assignments[at];
    if (resources.length === 0) continue;
    if (!isPartitioned(assignment)) allocate(assignment, resources);
    else
      for (const { provider, amount } of assignment.parts) allocate(provider, [{ ...resources[0], amount }]);
  }
  return Array.from(amounts, ([provider, lists]) => ({
    provider,
    resources: lists.length === 1 ? lists[0] : sumsByClass(lists.flat()),
  }));
}

/** Returns one sum for each class, in the order of their first amounts. */
export function sumsByClass<Class>(
  amounts: readonly { readonly resourceClass: Class; readonly amount: number }[],
): { resourceClass: Class; amount: number }[] {
  const sums = new Map<Class, number>();
  for (const { resourceClass, amount } of amounts)
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  return Array.from(sums, ([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** Returns the providers of each group, in request order (rule 171). */
export function mappingsOf({ groups, variables }: Plan, { assignments }: Candidate): CandidateMapping[] {
  let at = 0;
  return groups.map((group) => {
    const providers: AnchorProvider[] = [];
    for (; variables[at]?.group === group; at++) {
      for (const provider of providersOf(assignments[at])) {
        if (!providers.includes(provider)) providers.push(provider);
      }
    }
    return { suffix: group.suffix, providers };
  });
}

export function providersOf(assignment: Assignment): readonly AnchorProvider[] {
  return isPartitioned(assignment) ? assignment.parts.map(({ provider }) => provider) : [assignment];
}

/** Returns the tree of the non-sharing providers of a candidate; null if all are sharing. */
export function anchorTreeOf({ assignments }: Candidate): number | null {
  const own = assignments.flatMap(providersOf).find(({ block, row }) => block.sharing[row] === 0);
  return own?.treeIndex ?? null;
}

/** Returns the trees of the candidates' providers, in order of first appearance (rules 177, 178, 180). */
export function summarizedTrees(snapshot: Snapshot, plan: Plan, candidates: readonly Candidate[]): Tree[] {
  const treeIndices = new Set<number>();
  for (const { assignments } of candidates)
    plan.variables.forEach(({ resources }, variable) => {
      if (resources.length === 0) return;
      const assignment = assignments[variable];
      const { treeIndex } = isPartitioned(assignment) ? assignment.parts[0].provider : assignment;
      treeIndices.add(treeIndex);
    });
  return Array.from(treeIndices, (treeIndex) => treeOf(snapshot, treeIndex));
}

/** Yields all providers of trees. */
export function* providersOfTrees(trees: Iterable<Tree>): Generator<ProviderRef> {
  for (const { block, start, end } of trees) for (let row = start; row < end; row++) yield { block, row };
}
