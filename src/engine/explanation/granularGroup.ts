import { hasAnyTrait, isMemberOfAll, isMemberOfAny } from '../model/providerChecks.js';
import { inventoryAt, type Block } from '../model/snapshot.js';
import {
  ALL_AMOUNTS_MET,
  AMOUNT_CONSTRAINTS,
  amountMet,
  constraintsAsked,
  type ExplainedGroup,
  type Tree,
} from './group.js';
import { NearMisses } from './nearMisses.js';
import { GROUP_CONSTRAINTS, Tally, type GroupConstraint } from './tally.js';
import type { AnchorProvider } from '../model/candidate.js';

/** A granular group: each provider is judged by itself. */
export class GranularGroup {
  readonly tally: Tally<GroupConstraint>;
  readonly misses: NearMisses;

  constructor(readonly group: ExplainedGroup) {
    this.tally = new Tally(GROUP_CONSTRAINTS, constraintsAsked(group));
    this.misses = new NearMisses(group);
  }

  /** Counts the providers of a tree; whether any of them, or of those that share with it, can serve the group. */
  look({ block, start, end, slot: treeIndex }: Tree, sharingProviders: readonly AnchorProvider[]): boolean {
    let isServed = false;
    for (let row = start; row < end; row++) {
      const obstacle = this.obstacleOf(block, row, treeIndex);
      this.tally.count(obstacle);
      this.see(block, row);
      isServed ||= obstacle === null;
    }
    return (
      isServed ||
      sharingProviders.some(
        (provider) => this.obstacleOf(provider.block, provider.row, provider.treeIndex) === null,
      )
    );
  }

  private obstacleOf(block: Block, row: number, treeIndex: number): GroupConstraint | null {
    const { planned, inTree } = this.group;
    const met = this.amountsMet(block, row);
    if (met < ALL_AMOUNTS_MET) return AMOUNT_CONSTRAINTS[met];
    if (!planned.requiredTraits.every((set) => hasAnyTrait(block, row, set))) return 'REQUIRED_TRAITS';
    if (hasAnyTrait(block, row, planned.forbiddenTraits)) return 'FORBIDDEN_TRAITS';
    if (!isMemberOfAll(block, row, planned.memberOf)) return 'MEMBER_OF';
    if (isMemberOfAny(block, row, planned.forbiddenAggregates)) return 'FORBIDDEN_AGGREGATES';
    if (inTree !== null && treeIndex !== inTree) return 'IN_TREE';
    if (planned.tree !== null && treeIndex !== planned.tree) return 'IN_SUBTREE';
    const { rows } = planned;
    return rows !== null && (row < rows[0] || row >= rows[1]) ? 'IN_SUBTREE' : null;
  }

  private amountsMet(block: Block, row: number): number {
    let met = ALL_AMOUNTS_MET;
    for (const { resourceClass, amount } of this.group.planned.resources) {
      met = Math.min(met, amountMet(block, row, resourceClass, amount));
    }
    return met;
  }

  private see(block: Block, row: number): void {
    const { resources } = this.group.planned;
    let hasAny = resources.length === 0;
    resources.forEach(({ resourceClass }, position) => {
      if (inventoryAt(block, row, resourceClass) < 0) return;
      this.misses.classes[position].having++;
      hasAny = true;
    });
    if (!hasAny) return;
    const met = this.amountsMet(block, row);
    this.misses.seeStock(block, row, met);
    if (met === ALL_AMOUNTS_MET) this.misses.seeMarks([{ block, row }]);
  }
}
