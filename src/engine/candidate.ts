import type { Plan } from './plan.js';
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
  readonly place: Place;
  readonly resources: { readonly resourceClass: number; amount: number }[];
}

export interface CandidateMapping {
  readonly suffix: string;
  readonly places: Place[];
}

/** What a candidate allocates: per provider and class the sum over the groups that it serves (rule 156). */
export function allocationsOf(plan: Plan, { units }: Candidate): CandidateAllocation[] {
  const byUnit = new Map<Unit, CandidateAllocation>();
  const take = (place: Unit, resourceClass: number, amount: number): void => {
    let allocation = byUnit.get(place);
    if (allocation === undefined) byUnit.set(place, (allocation = { place, resources: [] }));
    const merged = allocation.resources.find((entry) => entry.resourceClass === resourceClass);
    if (merged === undefined) allocation.resources.push({ resourceClass, amount });
    else merged.amount += amount;
  };
  plan.variables.forEach(({ resources }, variable) => {
    const served = units[variable];
    if (isSplit(served)) {
      for (const { unit, amount } of served.parts) take(unit, resources[0].resourceClass, amount);
    } else {
      for (const { resourceClass, amount } of resources) take(served, resourceClass, amount);
    }
  });
  return [...byUnit.values()];
}

/** Which providers serve which group, in request order (rule 171). */
export function mappingsOf(plan: Plan, { units }: Candidate): CandidateMapping[] {
  return plan.groups.map((group) => {
    const places = new Set<Place>();
    plan.variables.forEach((variable, at) => {
      if (variable.group !== group) return;
      const served = units[at];
      if (isSplit(served)) for (const { unit } of served.parts) places.add(unit);
      else places.add(served);
    });
    return { suffix: group.suffix, places: [...places] };
  });
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
