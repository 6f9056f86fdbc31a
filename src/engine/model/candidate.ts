import type { Plan, PlannedAmount } from './plan.js';
import { treeOf, type ProviderRef, type Snapshot } from './snapshot.js';

/** A provider that the search at an anchor may assign: of the anchor's tree, or sharing from another tree. */
export interface AnchorProvider extends ProviderRef {
  readonly treeIndex: number;
}

/** A solution: what is assigned to each variable, in the plan's order. All of a request follows from it. */
export interface Candidate {
  readonly assignments: readonly Assignment[];
  /**
   * What it leaves free by the first entry of the order, where its providers do not tell that any more, because their block has changed
   * since: from 0 to 1, null without an order.
   */
  readonly shareLeftFree?: number | null;
}

export type Assignment = AnchorProvider | PartitionedAmount;

/** The one amount of a variable, split over several providers of the anchor's tree. */
export interface PartitionedAmount {
  readonly parts: readonly { readonly provider: AnchorProvider; readonly amount: number }[];
}

export function isPartitioned(assignment: Assignment): assignment is PartitionedAmount {
  return 'parts' in assignment;
}

export interface CandidateAllocation {
  readonly provider: AnchorProvider;
  /** The variable's own list in the plan where the provider serves only one. */
  readonly resources: readonly PlannedAmount[];
}

export interface CandidateMapping {
  readonly suffix: string;
  readonly providers: readonly AnchorProvider[];
}

/** What a candidate allocates: per provider and class the sum over the groups that it serves (rule 156). */
export function allocationsOf({ variables }: Plan, { assignments }: Candidate): CandidateAllocation[] {
  const allocations: CandidateAllocation[] = [];
  const allocate = (provider: AnchorProvider, resources: readonly PlannedAmount[]): void => {
    const at = allocations.findIndex((allocation) => allocation.provider === provider);
    if (at < 0) allocations.push({ provider, resources });
    else allocations[at] = { provider, resources: sumOf(allocations[at].resources, resources) };
  };
  for (let at = 0; at < variables.length; at++) {
    const { resources } = variables[at];
    const assignment = assignments[at];
    if (resources.length === 0) continue;
    if (!isPartitioned(assignment)) allocate(assignment, resources);
    else
      for (const { provider, amount } of assignment.parts) allocate(provider, [{ ...resources[0], amount }]);
  }
  return allocations;
}

function sumOf(some: readonly PlannedAmount[], more: readonly PlannedAmount[]): PlannedAmount[] {
  const sums = new Map(some.map(({ resourceClass, amount }) => [resourceClass, amount]));
  for (const { resourceClass, amount } of more) {
    sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
  }
  return Array.from(sums, ([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** Which providers serve which group, in request order (rule 171). */
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

function providersOf(assignment: Assignment): readonly AnchorProvider[] {
  return isPartitioned(assignment) ? assignment.parts.map(({ provider }) => provider) : [assignment];
}

/** The tree of a candidate's providers that are not sharing ones; null where all of them are. */
export function anchorTreeOf({ assignments }: Candidate): number | null {
  const own = assignments.flatMap(providersOf).find(({ block, row }) => block.sharing[row] === 0);
  return own?.treeIndex ?? null;
}

/** All providers of candidates' trees, trees in order of first appearance (rules 177, 178, 180). */
export function* summarizedProviders(
  snapshot: Snapshot,
  plan: Plan,
  candidates: readonly Candidate[],
): Generator<ProviderRef> {
  for (const treeIndex of treesAllocatedFrom(plan, candidates)) {
    const { block, start, end } = treeOf(snapshot, treeIndex);
    for (let row = start; row < end; row++) yield { block, row };
  }
}

function treesAllocatedFrom(plan: Plan, candidates: readonly Candidate[]): Set<number> {
  const treeIndices = new Set<number>();
  for (const { assignments } of candidates) {
    plan.variables.forEach(({ resources }, variable) => {
      if (resources.length === 0) return;
      const assignment = assignments[variable];
      treeIndices.add(
        isPartitioned(assignment) ? assignment.parts[0].provider.treeIndex : assignment.treeIndex,
      );
    });
  }
  return treeIndices;
}
