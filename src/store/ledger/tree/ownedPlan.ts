import { shortestDecimal } from '../../../model/input.js';
import { INVENTORY_AMOUNTS } from '../../../model/provider.js';
import type { ClaimedPart } from '../../../model/rejections.js';
import type { Link } from '../provider/links.js';
import type { SupplyChange, SupplyIds } from '../provider/supply.js';
import { groupBy } from '../../../model/collections.js';
import { inventoryKey } from '../allocation/allocationRows.js';
import { counterOf, type ConsumptionRow } from '../allocation/counters.js';
import { NO_CONSUMPTION, type ConsumptionChange } from '../inventory/consumption.js';
import { type StatedConsumption } from '../inventory/statedConsumption.js';
import { type InventoryRow, rowOf, type StoredInventory } from '../inventory/inventoryRows.js';
import type { OwnedKind, Owners, Ownership, UsedParts } from './ownership.js';
import { pathOf } from './treeInput.js';
import type { PlannedProvider } from './treePlan.js';

/**
 * What happens to a part that differs. SET: written. TAKEN_OVER: written, and nobody owned it. REMOVED: removed.
 * KEPT: nobody owns it, so it stays. IN_USE: it is not removed, or its consumption would change, but consumers use it.
 */
export type PartOutcome = 'SET' | 'TAKEN_OVER' | 'REMOVED' | 'KEPT' | 'IN_USE';

/** A part of a provider that differs from the input. */
export interface PartDifference {
  /** The uuid of the provider; null if a dry run would generate it. */
  readonly uuid: string | null;
  readonly provider: string;
  readonly kind: OwnedKind;
  /** The id of the resource class, trait or aggregate; 0 for PROVIDER. */
  readonly objectId: number;
  /** The values as texts. Null if the part is absent. */
  readonly before: string | null;
  readonly after: string | null;
  readonly outcome: PartOutcome;
}

/** The stored and the stated consumption of an inventory, with the numbers of counters. */
interface ComparedConsumption {
  /** Also true if the input does not state the consumption. */
  readonly isEqual: boolean;
  readonly before: number;
  readonly after: number;
  readonly stated: StatedConsumption | undefined;
}

/** What the inventories of trees consume, as they are stored and as an input states it. */
export class TreeConsumption {
  private readonly stored: ReadonlyMap<string, readonly ConsumptionRow[]>;
  private readonly stated: ReadonlyMap<string, StatedConsumption>;

  constructor(stored: readonly ConsumptionRow[], stated: readonly StatedConsumption[]) {
    this.stored = groupBy(stored, inventoryKey);
    this.stated = new Map(stated.map((each) => [inventoryKey(each), each]));
  }

  compare(key: string): ComparedConsumption {
    const stated = this.stated.get(key);
    const stored = this.stored.get(key) ?? [];
    const wanted = stated === undefined || stated.consumes === null ? stored : stated.rows;
    const [before, after] = [stored, wanted].map((rows) =>
      rows.map((row) => [inventoryKey(counterOf(row)), row.amount].join(' ')).sort(),
    );
    return { isEqual: before.join() === after.join(), before: before.length, after: after.length, stated };
  }
}

/** The stored supply of a provider. */
export interface ProviderSupply {
  readonly consumption: TreeConsumption;
  readonly inventories: readonly StoredInventory[];
  readonly traits: readonly Link[];
  readonly aggregates: readonly Link[];
}

/** IN_USE: it differs, and consumers use it, so it cannot be written. */
type State = 'ABSENT' | 'EQUAL' | 'DIFFERENT' | 'IN_USE';

interface Conflict extends ClaimedPart {
  readonly path: readonly string[];
}

const KIND_OF = { traits: 'TRAIT', aggregates: 'AGGREGATE' } as const;
const NOUNS = { TRAIT: 'trait', AGGREGATE: 'aggregate' } as const;

/** Decides for each part that an input states whether its owner may write it, and collects the rows to write. */
export class OwnedPlan {
  readonly differences: PartDifference[] = [];
  readonly conflicts: Conflict[] = [];
  readonly claimed: Ownership[] = [];
  readonly released: Ownership[] = [];
  private readonly removed = {
    inventories: [] as StoredInventory[],
    traits: [] as Link[],
    aggregates: [] as Link[],
  };
  private readonly added = { traits: [] as Link[], aggregates: [] as Link[] };
  private readonly written: InventoryRow[] = [];
  private readonly newClassIds: number[] = [];
  /** The inventories whose consumption is written. */
  readonly consuming: StatedConsumption[] = [];
  /** The change that follows from `consuming`. */
  consumption: ConsumptionChange = NO_CONSUMPTION;

  constructor(
    private readonly owner: string,
    private readonly owners: Owners,
    private readonly takeOver: boolean,
    private readonly isDry: boolean,
  ) {}

  get supply(): SupplyChange {
    const { removed, added, written, newClassIds } = this;
    return {
      inventories: { removed: removed.inventories, written, newClassIds },
      consumption: this.consumption,
      traits: { removed: removed.traits, added: added.traits },
      aggregates: { removed: removed.aggregates, added: added.aggregates },
    };
  }

  /** Decides about the name and the parent of a provider. Returns the provider as it is to be written. */
  addProvider(planned: PlannedProvider, nameOf: (id: number | null) => string): PlannedProvider {
    const { stored, row, isRenamed, isMoved } = planned;
    const state = !stored ? 'ABSENT' : isRenamed || isMoved ? 'DIFFERENT' : 'EQUAL';
    const before = stored ? placeText(stored.name, nameOf(stored.parentId)) : null;
    const after = placeText(row.name, nameOf(row.parentId));
    // other owners may add parts to a provider that is as they state it
    if (state === 'EQUAL' && this.owners.of(row.id, 'PROVIDER') !== null) return planned;
    if (this.decide(planned, 'PROVIDER', 0, state, before, after, 'the name and the parent', []))
      return planned;
    return stored
      ? {
          ...planned,
          row: { ...row, name: stored.name, parentId: stored.parentId },
          isRenamed: false,
          isMoved: false,
        }
      : planned;
  }

  /** Decides about the inventories, traits and aggregates of a provider. */
  addSupply(planned: PlannedProvider, stored: ProviderSupply, ids: SupplyIds, used: UsedParts): void {
    const { desired } = planned.node;
    if (desired.inventories) this.addInventories(planned, stored, ids, used);
    const traits = new Map(Array.from(ids.traits, ([name, id]) => [name, [id]]));
    if (desired.traits) this.addLinks('traits', planned, stored.traits, traits);
    if (desired.aggregates) this.addLinks('aggregates', planned, stored.aggregates, ids.aggregates);
  }

  /** Adds a provider that is removed, with its descendants, or the reason why it stays. */
  addRemoval(
    provider: { uuid: string; name: string },
    kept: { outcome: 'IN_USE' | 'KEPT'; why: string } | null,
  ): void {
    this.differences.push({
      uuid: provider.uuid,
      provider: provider.name,
      kind: 'PROVIDER',
      objectId: 0,
      before: kept ? kept.why : provider.name,
      after: null,
      outcome: kept?.outcome ?? 'REMOVED',
    });
  }

  private addInventories(
    planned: PlannedProvider,
    { inventories: stored, consumption }: ProviderSupply,
    { classes }: SupplyIds,
    used: UsedParts,
  ): void {
    const { row, node } = planned;
    const byClass = new Map(stored.map((each) => [each.classId, each]));
    const stated = new Set<number>();
    for (const [at, input] of node.desired.inventories!.entries()) {
      const wanted = rowOf(input, row, classes);
      stated.add(wanted.classId);
      const old = byClass.get(wanted.classId);
      const hasAmounts =
        old !== undefined && INVENTORY_AMOUNTS.every((field) => old[field] === wanted[field]);
      const part = `the inventory of ${input.resourceClass}`;
      const consumed = consumption.compare(inventoryKey(wanted));
      const texts = inventoryTexts(old, wanted, consumed);
      const state = inventoryState(old, hasAmounts, consumed, used);
      const path = ['inventories', String(at)];
      if (!this.decide(planned, 'INVENTORY', wanted.classId, state, ...texts, part, path)) continue;
      if (consumed.stated) this.consuming.push(consumed.stated);
      if (!hasAmounts) this.written.push(wanted);
      if (old === undefined) this.newClassIds.push(wanted.classId);
    }
    for (const old of stored) {
      if (stated.has(old.classId) || !this.owns(row.id, 'INVENTORY', old.classId)) continue;
      const isUsed = used.has(row.id, old.classId);
      this.addDifference(
        planned,
        'INVENTORY',
        old.classId,
        `total ${old.total}`,
        null,
        isUsed ? 'IN_USE' : 'REMOVED',
      );
      if (isUsed) continue;
      this.removed.inventories.push(old);
      this.release(row.id, 'INVENTORY', old.classId);
    }
    this.releaseAbsent(row.id, 'INVENTORY', new Set([...stated, ...byClass.keys()]));
  }

  private addLinks(
    part: keyof typeof KIND_OF,
    planned: PlannedProvider,
    stored: readonly Link[],
    ids: ReadonlyMap<string, readonly number[]>,
  ): void {
    const kind = KIND_OF[part];
    const { row, node } = planned;
    const linked = new Set(stored.map(({ targetId }) => targetId));
    const stated = new Set<number>();
    for (const [at, name] of node.desired[part]!.entries()) {
      const rows = ids.get(name)!;
      const targetId = rows.find((id) => linked.has(id)) ?? rows[0];
      stated.add(targetId);
      const state = linked.has(targetId) ? 'EQUAL' : 'ABSENT';
      const path = [part, String(at)];
      if (this.decide(planned, kind, targetId, state, null, '', `the ${NOUNS[kind]} ${name}`, path))
        this.added[part].push({ providerId: row.id, targetId });
    }
    for (const link of stored) {
      if (stated.has(link.targetId) || !this.owns(row.id, kind, link.targetId)) continue;
      this.addDifference(planned, kind, link.targetId, '', null, 'REMOVED');
      this.removed[part].push(link);
      this.release(row.id, kind, link.targetId);
    }
    this.releaseAbsent(row.id, kind, new Set([...stated, ...linked]));
  }

  /** Releases owned parts that neither exist nor are stated: a person has removed them. */
  private releaseAbsent(providerId: number, kind: OwnedKind, present: ReadonlySet<number>): void {
    for (const row of this.owners.partsOf(providerId, kind))
      if (row.owner === this.owner && !present.has(row.objectId)) this.released.push(row);
  }

  /** Claims a part unless it has an owner or cannot be written. Returns whether the part must be written. */
  private decide(
    planned: PlannedProvider,
    kind: OwnedKind,
    objectId: number,
    state: State,
    before: string | null,
    after: string,
    part: string,
    path: readonly string[],
  ): boolean {
    const { row } = planned;
    const other = this.owners.of(row.id, kind, objectId);
    if (other !== null && other !== this.owner) {
      const { uuid: resourceProviderUuid, name: providerName } = planned.stored ?? row;
      const at = [...pathOf(planned.node), ...path];
      this.conflicts.push({ providerName, resourceProviderUuid, part, otherOwner: other, path: at });
      return false;
    }
    const differs = state === 'DIFFERENT' || state === 'IN_USE';
    const isKept = other === null && differs && !this.takeOver;
    const stays = isKept || state === 'IN_USE';
    if (other === null && !stays)
      this.claimed.push({ providerId: row.id, kind, objectId, owner: this.owner });
    if (state === 'EQUAL') return false;
    const written = other === null && differs ? 'TAKEN_OVER' : 'SET';
    const outcome = isKept ? 'KEPT' : state === 'IN_USE' ? 'IN_USE' : written;
    this.addDifference(planned, kind, objectId, before, after, outcome);
    return !stays;
  }

  private addDifference(
    { stored, row, node }: PlannedProvider,
    kind: OwnedKind,
    objectId: number,
    before: string | null,
    after: string | null,
    outcome: PartOutcome,
  ): void {
    const uuid = stored ? stored.uuid : this.isDry ? (node.desired.uuid ?? null) : row.uuid;
    const provider = node.desired.name;
    this.differences.push({ uuid, provider, kind, objectId, before, after, outcome });
  }

  private owns(providerId: number, kind: OwnedKind, objectId: number): boolean {
    return this.owners.of(providerId, kind, objectId) === this.owner;
  }

  private release(providerId: number, kind: OwnedKind, objectId: number): void {
    this.released.push({ providerId, kind, objectId, owner: this.owner });
  }
}

function placeText(name: string, parent: string): string {
  return parent === '' ? name : `${name} below ${parent}`;
}

/** The consumption of an inventory in use cannot change without its allocations, so the inventory stays as it is. */
function inventoryState(
  old: InventoryRow | undefined,
  hasAmounts: boolean,
  { isEqual }: ComparedConsumption,
  used: UsedParts,
): State {
  if (old === undefined) return 'ABSENT';
  if (!isEqual && used.has(old.providerId, old.classId)) return 'IN_USE';
  return hasAmounts && isEqual ? 'EQUAL' : 'DIFFERENT';
}

/** Returns the fields that differ, such as `total 8` and `total 16`. */
function inventoryTexts(
  old: InventoryRow | undefined,
  wanted: InventoryRow,
  { isEqual, before, after }: ComparedConsumption,
): [string | null, string] {
  if (old === undefined) return [null, `total ${wanted.total}`];
  const fields = INVENTORY_AMOUNTS.filter((field) => old[field] !== wanted[field]);
  const numberOf = (row: InventoryRow, field: (typeof fields)[number]): number =>
    field === 'allocationRatio' ? shortestDecimal(row[field]) : row[field];
  const textOf = (row: InventoryRow, counters: number): string =>
    [
      ...fields.map((field) => `${field} ${numberOf(row, field)}`),
      ...(isEqual ? [] : [`consumes ${counters} counters`]),
    ].join(', ');
  return [textOf(old, before), textOf(wanted, after)];
}
