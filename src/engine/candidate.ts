import type { Plan, PlannedAmount } from './plan.js';
import type { Unit } from './reach.js';
import { blockOf, type Place, type Snapshot } from './snapshot.js';

/**
 * One way to meet a request: for each variable of the plan, in its order, the provider that serves it, or the parts that
 * serve it together. The rest of an allocation request is derived from that.
 */
export interface Candidate {
  readonly units: readonly Served[];
}

export type Served = Unit | SplitAmount;

/** The one amount of a variable, spread over several providers of the anchor's tree. */
export interface SplitAmount {
  readonly parts: readonly { readonly unit: Unit; readonly amount: number }[];
}

export function isSplit(served: Served): served is SplitAmount {
  return 'parts' in served;
}

export interface CandidateAllocation {
  readonly place: Unit;
  /** The variable's own list in the plan where the provider serves just one. */
  readonly resources: readonly PlannedAmount[];
}

export interface CandidateMapping {
  readonly suffix: string;
  readonly places: readonly Unit[];
}

/** What a candidate allocates: per provider and class the sum over the groups that it serves (rule 156). */
export function allocationsOf({ variables }: Plan, { units }: Candidate): CandidateAllocation[] {
  const allocations: CandidateAllocation[] = [];
  const take = (place: Unit, resources: readonly PlannedAmount[]): void => {
    const at = allocations.findIndex((allocation) => allocation.place === place);
    if (at < 0) allocations.push({ place, resources });
    else allocations[at] = { place, resources: sumOf(allocations[at].resources, resources) };
  };
  for (let at = 0; at < variables.length; at++) {
    const { resources } = variables[at];
    const served = units[at];
    if (resources.length === 0) continue;
    if (!isSplit(served)) take(served, resources);
    else for (const { unit, amount } of served.parts) take(unit, [{ ...resources[0], amount }]);
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
export function mappingsOf({ groups, variables }: Plan, { units }: Candidate): CandidateMapping[] {
  let at = 0;
  return groups.map((group) => {
    const places: Unit[] = [];
    for (; variables[at]?.group === group; at++) {
      for (const unit of unitsOf(units[at])) if (!places.includes(unit)) places.push(unit);
    }
    return { suffix: group.suffix, places };
  });
}

function unitsOf(served: Served): readonly Unit[] {
  return isSplit(served) ? served.parts.map(({ unit }) => unit) : [served];
}

/** The tree that the providers of a candidate are in, but for sharing ones; null when all of them are. */
export function treeOf({ units }: Candidate): number | null {
  const own = units.flatMap(unitsOf).find(({ block, row }) => block.sharing[row] === 0);
  return own?.slot ?? null;
}

/** Every provider of every tree that candidates draw resources from, trees in order of first appearance (rules 177, 178, 180). */
export function* placesDrawnOn(
  snapshot: Snapshot,
  plan: Plan,
  candidates: readonly Candidate[],
): Generator<Place> {
  for (const slot of treesDrawnOn(plan, candidates)) {
    const block = blockOf(snapshot, slot);
    const end = block.treeStarts[slot - block.firstSlot + 1];
    for (let row = block.treeStarts[slot - block.firstSlot]; row < end; row++) yield { block, row };
  }
}

function treesDrawnOn(plan: Plan, candidates: readonly Candidate[]): Set<number> {
  const slots = new Set<number>();
  for (const { units } of candidates) {
    plan.variables.forEach(({ resources }, variable) => {
      if (resources.length === 0) return;
      const served = units[variable];
      slots.add(isSplit(served) ? served.parts[0].unit.slot : served.slot);
    });
  }
  return slots;
}
