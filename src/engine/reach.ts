import type { TreeFilter } from './filter.js';
import {
  fitsAll,
  isMemberOfAny,
  meetsGranularGroup,
  meetsUnsuffixedGroup,
  isMemberOfAll,
} from './matching.js';
import type { Plan, PlannedGroup } from './plan.js';
import { mix } from './random.js';
import { blockOf, type Block, type Place, type Sharer, type Snapshot } from './snapshot.js';

/** A provider within the reach of an anchor. */
export interface Unit extends Place {
  readonly slot: number;
}

/**
 * What an anchor's tree can draw on, as far as the request can use it: per variable the providers that could serve
 * it by themselves. `units` holds each such provider once; domains are positions in it.
 */
export interface Reach {
  readonly slot: number;
  readonly units: readonly Unit[];
  readonly domains: readonly (readonly number[])[];
}

/**
 * Looks at the providers of one anchor's tree and at the sharing providers linked with it: those directly in an
 * aggregate that any provider of the tree is directly in (rule 144). Null when some variable has nobody.
 */
export function reachOf(
  snapshot: Snapshot,
  plan: Plan,
  filter: TreeFilter,
  slot: number,
  seed: number,
): Reach | null {
  const block = blockOf(snapshot, slot);
  const start = block.treeStarts[slot - block.firstSlot];
  const end = block.treeStarts[slot - block.firstSlot + 1];
  const gathering = new Gathering(plan, slot, block, start);
  for (let row = start; row < end; row++) gathering.offer({ block, row, slot }, plan.variables.keys());
  const outside = [...plan.variables.keys()].filter((variable) => filter.shareable[variable]);
  if (outside.length > 0) {
    for (const sharer of linkedSharers(snapshot, block, start, end, slot)) gathering.offer(sharer, outside);
  }
  return gathering.reach(seed);
}

/** Collects, for one anchor, which provider could serve which variable. */
class Gathering {
  private readonly units: Unit[] = [];
  private readonly domains: number[][];
  private readonly anchorInMemberOf: Map<PlannedGroup, boolean>;
  private readonly anchorForbidden: Map<PlannedGroup, boolean>;

  constructor(
    private readonly plan: Plan,
    private readonly slot: number,
    block: Block,
    root: number,
  ) {
    this.domains = plan.variables.map(() => []);
    const unsuffixed = plan.groups.filter((group) => !group.isGranular);
    this.anchorInMemberOf = new Map(
      unsuffixed.map((group) => [group, isMemberOfAll(block, root, group.memberOf)]),
    );
    this.anchorForbidden = new Map(
      unsuffixed.map((group) => [group, isMemberOfAny(block, root, group.forbiddenAggregates)]),
    );
  }

  offer(unit: Unit, variables: Iterable<number>): void {
    let position = -1;
    for (const variable of variables) {
      const { group, resources } = this.plan.variables[variable];
      if (!fitsAll(unit.block, unit.row, resources) || !this.meets(unit, group)) continue;
      if (position < 0) position = this.units.push(unit) - 1;
      this.domains[variable].push(position);
    }
  }

  private meets(unit: Unit, group: PlannedGroup): boolean {
    const isOwn = unit.slot === this.slot;
    if (group.tree !== null && unit.slot !== group.tree) return false;
    if (group.isGranular) return meetsGranularGroup(unit.block, unit.row, group);
    if (this.anchorForbidden.get(group)!) return false;
    if (group.tree !== null && !isOwn) return false;
    const inMemberOf = this.anchorInMemberOf.get(group)!;
    return meetsUnsuffixedGroup(unit.block, unit.row, group, { inMemberOf, isOwn });
  }

  /** Domains start at a seeded place, so that no provider of a tree is always the first choice. */
  reach(seed: number): Reach | null {
    const { slot, units } = this;
    const domains: number[][] = [];
    for (const [variable, domain] of this.domains.entries()) {
      if (domain.length === 0) return null;
      const first = mix(seed, slot * 31 + variable) % domain.length;
      domains.push(first === 0 ? domain : [...domain.slice(first), ...domain.slice(0, first)]);
    }
    return { slot, units, domains };
  }
}

function linkedSharers(snapshot: Snapshot, block: Block, start: number, end: number, slot: number): Unit[] {
  const aggregates = new Set(
    block.aggregates.subarray(block.aggregateStarts[start], block.aggregateStarts[end]),
  );
  const found = new Map<number, Unit>();
  for (const aggregate of aggregates) {
    for (const sharer of snapshot.sharersIn(aggregate)) {
      if (sharer.slot !== slot && !found.has(sharer.id)) found.set(sharer.id, unitOf(snapshot, sharer));
    }
  }
  return [...found.values()];
}

function unitOf(snapshot: Snapshot, { slot, id }: Sharer): Unit {
  const block = blockOf(snapshot, slot);
  const tree = slot - block.firstSlot;
  const rows = block.ids.subarray(block.treeStarts[tree], block.treeStarts[tree + 1]);
  return { block, row: block.treeStarts[tree] + rows.indexOf(id), slot };
}
