import type { TreeFilter } from './filter.js';
import {
  fitsAll,
  isMemberOfAny,
  meetsGranularGroup,
  meetsUnsuffixedGroup,
  isMemberOfAll,
  roomOf,
  type Room,
} from './matching.js';
import type { Plan, PlannedGroup } from './plan.js';
import { mix } from './random.js';
import { SmallestSets, type Part, type Party } from './smallestSets.js';
import { blockOf, type Block, type Place, type Sharer, type Snapshot } from './snapshot.js';
import { Splits } from './splits.js';

/** A provider within the reach of an anchor. */
export interface Unit extends Place {
  readonly slot: number;
}

/**
 * What an anchor's tree can draw on, as far as the request can use it: per variable the providers that could serve
 * it by themselves. `units` holds each such provider once; domains are positions in it, and beyond it the splits that were
 * found so far.
 */
export interface Reach {
  readonly slot: number;
  readonly units: readonly Unit[];
  readonly domains: readonly number[][];
  /** Null where nothing is to be split. */
  readonly splits: Splits | null;
}

/** The parts of a member of a domain; undefined when it is a unit. */
export function splitAt({ splits }: Reach, choice: number): readonly Part[] | undefined {
  return splits === null ? undefined : splits.at(choice);
}

/**
 * Looks at the providers of one anchor's tree and at the sharing providers linked with it: those directly in an
 * aggregate that any provider of the tree is directly in (rule 144). Null when some variable has nobody.
 */
export function reachOf(
  snapshot: Snapshot,
  plan: Plan,
  filter: Pick<TreeFilter, 'shareable'>,
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
  /** By variable that can be split, who could give a part of it but not the whole. */
  private readonly parties = new Map<number, Party[]>();
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
      const { group, resources, canSplit } = this.plan.variables[variable];
      const fitsWhole = fitsAll(unit.block, unit.row, resources);
      const part = canSplit && !fitsWhole ? this.partOf(unit, resources[0].resourceClass) : null;
      if ((!fitsWhole && part === null) || !this.meets(unit, group)) continue;
      if (position < 0) position = this.units.push(unit) - 1;
      if (part === null) this.domains[variable].push(position);
      else this.offerPart(variable, { ...part, unit: position, uuid: unit.block.uuids[unit.row] });
    }
  }

  private partOf(unit: Unit, resourceClass: number): Room | null {
    return this.mayGivePart(unit) ? roomOf(unit.block, unit.row, resourceClass) : null;
  }

  /** A part comes from a provider of the anchor's tree that is no sharing one. */
  private mayGivePart({ slot, block, row }: Unit): boolean {
    return slot === this.slot && block.sharing[row] === 0;
  }

  private offerPart(variable: number, party: Party): void {
    const parties = this.parties.get(variable);
    if (parties === undefined) this.parties.set(variable, [party]);
    else parties.push(party);
  }

  private meets(unit: Unit, group: PlannedGroup): boolean {
    const isOwn = unit.slot === this.slot;
    if (group.tree !== null && unit.slot !== group.tree) return false;
    if (group.rows !== null && (unit.row < group.rows[0] || unit.row >= group.rows[1])) return false;
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
      if (domain.length === 0 && !this.isToSplit(variable)) return null;
      domains.push(rotated(domain, mix(seed, slot * 31 + variable)));
    }
    return { slot, units, domains, splits: this.splits(domains, seed) };
  }

  /** An amount is split only where no provider that may give a part can give all of it, and where the tree has as much. */
  private isToSplit(variable: number): boolean {
    const parties = this.parties.get(variable);
    if (parties === undefined) return false;
    if (this.domains[variable].some((unit) => this.mayGivePart(this.units[unit]))) return false;
    const sum = parties.reduce((all, { most }) => all + most, 0);
    return sum >= this.plan.variables[variable].resources[0].amount;
  }

  private splits(domains: readonly number[][], seed: number): Splits | null {
    const variables = [...this.parties.keys()].filter((variable) => this.isToSplit(variable));
    if (variables.length === 0) return null;
    const sources = variables.map((variable) => {
      const parties = this.parties.get(variable)!;
      const { amount } = this.plan.variables[variable].resources[0];
      const shuffled = rotated(parties, mix(seed, this.slot * 31 + variable));
      return [
        variable,
        { sets: new SmallestSets(shuffled, amount), units: parties.map(({ unit }) => unit) },
      ] as const;
    });
    return new Splits(this.units.length, domains, new Map(sources));
  }
}

function rotated<T>(list: T[], places: number): T[] {
  const first = list.length === 0 ? 0 : places % list.length;
  return first === 0 ? list : [...list.slice(first), ...list.slice(0, first)];
}

/** The sharing providers of other trees that serve a tree, given by its rows (rule 144). */
export function linkedSharers(
  snapshot: Snapshot,
  block: Block,
  start: number,
  end: number,
  slot: number,
): Unit[] {
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

/** Where a sharing provider is now. */
export function unitOf(snapshot: Snapshot, { slot, id }: Sharer): Unit {
  const block = blockOf(snapshot, slot);
  const tree = slot - block.firstSlot;
  const rows = block.ids.subarray(block.treeStarts[tree], block.treeStarts[tree + 1]);
  return { block, row: block.treeStarts[tree] + rows.indexOf(id), slot };
}
