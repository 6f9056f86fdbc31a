import type { Plan, PlannedAmount } from './plan.js';
import type { AnchorProvider } from '../search/anchor.js';
import { blockOf, type ProviderRef, type Snapshot } from './snapshot.js';

/**
 * One way to meet a request: for each variable of the plan, in its order, the provider that serves it, or the parts that
 * serve it together. The rest of an allocation request is derived from that.
 */
export interface Candidate {
  readonly assignments: readonly Assignment[];
}

export type Assignment = AnchorProvider | PartitionedAmount;

/** The one amount of a variable, spread over several providers of the anchor's tree. */
export interface PartitionedAmount {
  readonly parts: readonly { readonly provider: AnchorProvider; readonly amount: number }[];
}

export function isPartitioned(served: Assignment): served is PartitionedAmount {
  return 'parts' in served;
}

export interface CandidateAllocation {
  readonly provider: AnchorProvider;
  /** The variable's own list in the plan where the provider serves just one. */
  readonly resources: readonly PlannedAmount[];
}

export interface CandidateMapping {
  readonly suffix: string;
  readonly providers: readonly AnchorProvider[];
}

/** What a candidate allocates: per provider and class the sum over the groups that it serves (rule 156). */
export function allocationsOf(
  { variables }: Plan,
  { assignments: providers }: Candidate,
): CandidateAllocation[] {
  const allocations: CandidateAllocation[] = [];
  const take = (provider: AnchorProvider, resources: readonly PlannedAmount[]): void => {
    const at = allocations.findIndex((allocation) => allocation.provider === provider);
    if (at < 0) allocations.push({ provider, resources });
    else allocations[at] = { provider, resources: sumOf(allocations[at].resources, resources) };
  };
  for (let at = 0; at < variables.length; at++) {
    const { resources } = variables[at];
    const served = providers[at];
    if (resources.length === 0) continue;
    if (!isPartitioned(served)) take(served, resources);
    else for (const { provider: unit, amount } of served.parts) take(unit, [{ ...resources[0], amount }]);
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
export function mappingsOf(
  { groups, variables }: Plan,
  { assignments: providers }: Candidate,
): CandidateMapping[] {
  let at = 0;
  return groups.map((group) => {
    const places: AnchorProvider[] = [];
    for (; variables[at]?.group === group; at++) {
      for (const provider of unitsOf(providers[at])) if (!places.includes(provider)) places.push(provider);
    }
    return { suffix: group.suffix, providers: places };
  });
}

function unitsOf(served: Assignment): readonly AnchorProvider[] {
  return isPartitioned(served) ? served.parts.map(({ provider }) => provider) : [served];
}

/** The tree that the providers of a candidate are in, but for sharing ones; null when all of them are. */
export function anchorTreeOf({ assignments: providers }: Candidate): number | null {
  const own = providers.flatMap(unitsOf).find(({ block, row }) => block.sharing[row] === 0);
  return own?.treeIndex ?? null;
}

/** Every provider of every tree that candidates draw resources from, trees in order of first appearance (rules 177, 178, 180). */
export function* summarizedProviders(
  snapshot: Snapshot,
  plan: Plan,
  candidates: readonly Candidate[],
): Generator<ProviderRef> {
  for (const treeIndex of treesDrawnOn(plan, candidates)) {
    const block = blockOf(snapshot, treeIndex);
    const end = block.treeStarts[treeIndex - block.firstTree + 1];
    for (let row = block.treeStarts[treeIndex - block.firstTree]; row < end; row++) yield { block, row };
  }
}

function treesDrawnOn(plan: Plan, candidates: readonly Candidate[]): Set<number> {
  const treeIndices = new Set<number>();
  for (const { assignments: providers } of candidates) {
    plan.variables.forEach(({ resources }, variable) => {
      if (resources.length === 0) return;
      const served = providers[variable];
      treeIndices.add(isPartitioned(served) ? served.parts[0].provider.treeIndex : served.treeIndex);
    });
  }
  return treeIndices;
}
