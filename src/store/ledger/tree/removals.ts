import { groupBy } from '../../../model/collections.js';
import type { ProviderFields } from '../../../model/provider.js';
import type { OwnedPlan } from './ownedPlan.js';
import type { Owners, UsedParts } from './ownership.js';
import type { PlannedProvider, TreePlan } from './treePlan.js';

/**
 * Decides what is removed of the providers that an input does not state, although it states the children of an ancestor
 * or removes the tree: the providers of the owner, and its parts of providers of others.
 */
export class Removals {
  private readonly stayingBelow: ReadonlySet<number>;

  constructor(
    private readonly owner: string,
    private readonly owners: Owners,
    private readonly used: UsedParts,
    private readonly plan: OwnedPlan,
    planned: readonly PlannedProvider[],
  ) {
    this.stayingBelow = new Set(planned.flatMap(({ row }) => row.parentId ?? []));
  }

  /** Returns the providers of others that lose the parts of the owner, as an input without these parts. */
  strippedOf(rows: readonly ProviderFields[]): PlannedProvider[] {
    return rows
      .filter(
        ({ id }) => !this.isOwned(id) && this.owners.partsOf(id).some((row) => row.owner === this.owner),
      )
      .map((row) => ({
        node: {
          desired: { uuid: row.uuid, name: row.name, inventories: [], traits: [], aggregates: [] },
          parent: null,
          position: 0,
          top: [],
        },
        stored: row,
        row,
        isRenamed: false,
        isMoved: false,
      }));
  }

  /** Keeps whole subtrees of the owner of which a provider must stay. */
  apply(plan: TreePlan): TreePlan {
    const unmatched = new Set(plan.deleted.map(({ id }) => id));
    const topOf = new Map<number, ProviderFields>();
    for (const row of plan.deleted) {
      const above = topOf.get(row.parentId ?? 0);
      topOf.set(row.id, above && this.isOwned(above.id) ? above : row);
    }
    const deleted: ProviderFields[] = [];
    const kept: ProviderFields[] = [...plan.kept];
    for (const [top, rows] of groupBy(plan.deleted, ({ id }) => topOf.get(id)!)) {
      const why = this.reasonToKeep(rows);
      (why ? kept : deleted).push(...rows);
      const isListed = why === null || this.isOwned(top.id);
      if (isListed && unmatched.has(top.id)) this.plan.addRemoval(top, why);
    }
    return { ...plan, deleted, kept: plan.planned.length === 0 ? [] : kept };
  }

  private reasonToKeep(rows: readonly ProviderFields[]): { outcome: 'IN_USE' | 'KEPT'; why: string } | null {
    for (const { id, name } of rows) {
      if (this.used.has(id)) return { outcome: 'IN_USE', why: `consumers use ${name}` };
      if (this.stayingBelow.has(id)) return { outcome: 'KEPT', why: `${name} has a child that stays` };
      const owner = this.owners.of(id, 'PROVIDER');
      if (owner !== this.owner) return { outcome: 'KEPT', why: `${name} belongs to ${owner ?? 'nobody'}` };
      const other = this.owners.partsOf(id).find((row) => row.owner !== this.owner);
      if (other) return { outcome: 'KEPT', why: `${name} has parts of ${other.owner}` };
    }
    return null;
  }

  private isOwned(providerId: number): boolean {
    return this.owners.of(providerId, 'PROVIDER') === this.owner;
  }
}
