import type { PlannedGroup } from '../model/plan.js';
import {
  ALL_SATISFIED,
  AMOUNT_CONSTRAINTS,
  hasAnyTrait,
  isMemberOfAny,
  type GroupConstraint,
} from '../model/providerChecks.js';
import { freeAt, inventoryAt, type Block, type ProviderRef } from '../model/snapshot.js';

/** The best inventories of one class of a group, each among those that a constraint on it was checked for. */
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

/** What came nearest to serving a group, so that an explanation can say by how much it failed. */
export class NearMisses {
  readonly classes: readonly NearMiss[];
  /** How many satisfy each set of alternatives, of those that satisfy all constraints on amounts. */
  readonly traits: number[];
  readonly aggregates: number[];

  constructor(private readonly group: PlannedGroup) {
    this.classes = group.resources.map(() => ({
      having: 0,
      mostFree: 0,
      maxUnitThere: Infinity,
      lowestMinUnit: Infinity,
      highestMaxUnit: 0,
      stepSize: 0,
    }));
    this.traits = group.requiredTraits.map(() => 0);
    this.aggregates = group.memberOf.map(() => 0);
  }

  /** A provider that is to serve the group by itself, with the constraint that it violates first. */
  addProvider(block: Block, row: number, violation: GroupConstraint | null): void {
    this.group.resources.forEach(({ resourceClass }, position) => {
      if (inventoryAt(block, row, resourceClass) >= 0) this.classes[position].having++;
    });
    const violated = AMOUNT_CONSTRAINTS.findIndex((constraint) => constraint === violation);
    this.addInventories(block, row, violated < 0 ? ALL_SATISFIED : violated);
    if (violated < 0) this.addConditions([{ block, row }]);
  }

  /** The inventories of a provider; so many of AMOUNT_CONSTRAINTS are satisfied by it, or by its tree. */
  addInventories(block: Block, row: number, satisfied: number): void {
    if (satisfied === 0) return;
    this.group.resources.forEach(({ resourceClass, amount }, position) => {
      const at = inventoryAt(block, row, resourceClass);
      if (at < 0) return;
      const miss = this.classes[position];
      const free = freeAt(block, at);
      this.addFree(position, free, block.maxUnits[at]);
      if (free < amount) return;
      if (satisfied >= 2) miss.lowestMinUnit = Math.min(miss.lowestMinUnit, block.minUnits[at]);
      if (satisfied >= 3) miss.highestMaxUnit = Math.max(miss.highestMaxUnit, block.maxUnits[at]);
      if (satisfied >= 4) miss.stepSize = block.stepSizes[at];
    });
  }

  addFree(position: number, free: number, maxUnit: number): void {
    const miss = this.classes[position];
    if (free <= miss.mostFree) return;
    miss.mostFree = free;
    miss.maxUnitThere = maxUnit;
  }

  /** The conditions of one provider, or of those of a tree, that satisfies all of AMOUNT_CONSTRAINTS. */
  addConditions(providers: readonly ProviderRef[]): void {
    const { requiredTraits, memberOf } = this.group;
    requiredTraits.forEach((set, at) => {
      if (providers.some(({ block, row }) => hasAnyTrait(block, row, set))) this.traits[at]++;
    });
    memberOf.forEach((set, at) => {
      if (providers.some(({ block, row }) => isMemberOfAny(block, row, set))) this.aggregates[at]++;
    });
  }
}
