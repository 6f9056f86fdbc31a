import { hasAnyTrait, isMemberOfAny } from '../model/providerChecks.js';
import { inventoryAt, type Block } from '../model/snapshot.js';
import type { ExplainedGroup } from './group.js';

/** The best that was seen of one class of a group, among those that came as far as the constraint on it. */
export interface NearMiss {
  /** How many have the class at all. */
  having: number;
  mostFree: number;
  /** Of the provider with the most free. */
  maxUnitThere: number;
  lowestMinUnit: number;
  highestMaxUnit: number;
  stepSize: number;
}

/** What came nearest to meeting a group: so that an explanation can say by how much it failed. */
export class NearMisses {
  readonly classes: readonly NearMiss[];
  /** By set of alternatives, how many of those judged by it meet it. */
  readonly traits: number[];
  readonly aggregates: number[];

  constructor(private readonly group: ExplainedGroup) {
    const { planned } = group;
    this.classes = planned.resources.map(() => ({
      having: 0,
      mostFree: 0,
      maxUnitThere: Infinity,
      lowestMinUnit: Infinity,
      highestMaxUnit: 0,
      stepSize: 0,
    }));
    this.traits = planned.requiredTraits.map(() => 0);
    this.aggregates = planned.memberOf.map(() => 0);
  }

  /** A provider that met so many of AMOUNT_CONSTRAINTS, or whose tree did; of a class that it does not have nothing is seen. */
  seeStock(block: Block, row: number, met: number): void {
    this.group.planned.resources.forEach(({ resourceClass, amount }, position) => {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) return;
      const miss = this.classes[position];
      if (met >= 1) this.seeFree(position, block.capacities[at] - block.used[at], block.maxUnits[at]);
      if (block.capacities[at] - block.used[at] < amount) return;
      if (met >= 2) miss.lowestMinUnit = Math.min(miss.lowestMinUnit, block.minUnits[at]);
      if (met >= 3) miss.highestMaxUnit = Math.max(miss.highestMaxUnit, block.maxUnits[at]);
      if (met >= 4) miss.stepSize = block.stepSizes[at];
    });
  }

  seeFree(position: number, free: number, maxUnit: number): void {
    const miss = this.classes[position];
    if (free <= miss.mostFree) return;
    miss.mostFree = free;
    miss.maxUnitThere = maxUnit;
  }

  /** Providers, one by itself or those of a tree, that met all of AMOUNT_CONSTRAINTS. */
  seeMarks(providers: readonly { readonly block: Block; readonly row: number }[]): void {
    const { requiredTraits, memberOf } = this.group.planned;
    requiredTraits.forEach((set, at) => {
      if (providers.some(({ block, row }) => hasAnyTrait(block, row, set))) this.traits[at]++;
    });
    memberOf.forEach((set, at) => {
      if (providers.some(({ block, row }) => isMemberOfAny(block, row, set))) this.aggregates[at]++;
    });
  }
}
