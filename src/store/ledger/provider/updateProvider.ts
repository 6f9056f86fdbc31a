import type { ProviderFields } from '../../../model/provider.js';
import { InvalidInput } from '../../../model/input.js';
import { kindSet, type KindSet } from '../../../model/recordedChanges.js';
import { IllegalReparent } from '../../../model/rejections.js';
import {
  checkGeneration,
  confirmUnchanged,
  markChanged,
  checkNameFree,
  checkNewName,
  findProviders,
  renameProviders,
  required,
  setParents,
  setRoot,
  treeMembers,
  type StoredProvider,
} from './providerRows.js';
import {
  checkConsumptionUnused,
  NO_CONSUMPTION,
  planConsumption,
  type ConsumptionChange,
} from '../inventory/consumption.js';
import { resolveConsumption } from '../inventory/statedConsumption.js';
import {
  checkInventoriesEdit,
  checkUnused,
  requireEdited,
  statedInventories,
} from '../inventory/inventoryEdits.js';
import type { StoredInventory } from '../inventory/inventoryRows.js';
import { type Ledger, type Transaction, inTransaction } from '../transaction.js';
import { checkAggregates } from './aggregates.js';
import { checkSetEdit } from './links.js';
import {
  type SupplyChange,
  type SupplyEdits,
  type SupplyIds,
  editSupply,
  readIds,
  readStoredSupply,
  supplyKinds,
  writeSupply,
} from './supply.js';
import { checkTraits } from './traits.js';
import { lockTrees, subtreeOf } from './trees.js';

/** The edits of a provider. Null or absent parts stay as they are. */
export interface ProviderUpdate extends SupplyEdits {
  readonly resourceProvider: string;
  /** The expected generation. Null or absent: not checked. */
  readonly generation?: number | null;
  readonly name?: string | null;
  /** The uuid of the new parent. `none: true` makes the provider a root. */
  readonly parent?: string | { readonly none: boolean } | null;
  /**
   * The step of the generation, even if nothing changes (decision D26). 0 is only for a name or a parent. Null or
   * absent: 1 if anything changes (decision D5).
   */
  readonly step?: number | null;
  /** Whether a provider with a parent cannot move. Defaults to false. */
  readonly isParentFixed?: boolean;
}

/** A provider with its generation after a write. */
export type WrittenProvider = Pick<ProviderFields, 'uuid' | 'generation'>;

/**
 * Renames a provider, moves it with its descendants, and changes its aggregates, traits and inventories atomically
 * (rules 41-44, 58, 70-72, 79). A provider with a wrong root moves, too. A move ignores allocations, aggregates and
 * traits. A capacity below the usage is allowed (34). The function retries after races, so the
 * generation is optional for every edit.
 *
 * Rejections: OLDER_SERVER, CONSUMPTION_IN_USE, INVALID_INPUT (also if patched fields contradict stored ones), NOT_FOUND (the provider, the parent, an
 * inventory to patch or remove), DUPLICATE_NAME, ILLEGAL_REPARENT, PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE
 * (rule 32). Bumps the generation once if anything changes (decision D5).
 */
export async function updateProvider(ledger: Ledger, update: ProviderUpdate): Promise<WrittenProvider> {
  const { resourceProvider: uuid, name, parent: target } = update;
  const parentUuid = typeof target === 'string' ? target : null;
  return inTransaction(ledger, async (tx) => {
    const [ids, found] = await Promise.all([
      readIds(tx, update),
      findProviders(tx, parentUuid === null ? [uuid] : [uuid, parentUuid]),
    ]);
    await checkUpdate(tx, update, ids);
    const provider = required(found, uuid);
    const parent = parentUuid === null ? null : required(found, parentUuid);
    const edits = [{ ...update, id: provider.id }];
    const stored = await readStoredSupply(tx, edits);
    requireEdited(update.inventories ?? {}, stored.inventories, provider, ids.classes);

    const renamed = name != null && name !== provider.name;
    const isReparented = target != null && (parent?.id ?? null) !== provider.parentId;
    const moved = isReparented || (target != null && hasWrongRoot(provider, parent));
    if (isReparented && update.isParentFixed && provider.parentId !== null)
      throw new IllegalReparent(uuid, parentUuid, true);
    if (renamed) await checkNameFree(tx, name, provider);
    const subtree = moved ? await lockMove(tx, provider, parent) : null;
    checkGeneration(provider, update.generation);
    const { change } = editSupply(stored, edits, ids);
    await checkUnused(tx, provider, change.inventories.removed);
    const after = {
      ...provider,
      name: name ?? provider.name,
      parentId: target == null ? provider.parentId : (parent?.id ?? null),
    };
    const { consumption, counters } = await updatedConsumption(tx, update, change, ids, {
      provider: after,
      parent,
      subtree,
      inventories: stored.inventories,
    });
    const supply = { ...change, consumption };

    const kinds =
      (renamed ? kindSet('RENAMED') : 0) |
      (moved ? kindSet('MOVED') : 0) |
      (supplyKinds(supply).get(provider.id) ?? 0);
    const step = update.step ?? (kinds === 0 ? 0 : 1);
    const edited = { uuid, generation: provider.generation + step };
    if (kinds === 0 && step === 0) {
      await confirmUnchanged(tx, [provider]);
      return edited;
    }
    const kindsOf = (each: ProviderFields): KindSet =>
      each === provider ? kinds || partsOf(update) : kindSet('INVENTORY');
    markChanged(tx, [provider, ...counters], kindsOf, new Map([[provider, step]]));
    if (renamed) await renameProviders(tx, [{ id: provider.id, name }]);
    if (subtree) await move(tx, provider, parent, subtree);
    await writeSupply(tx, supply, ids);
    return edited;
  });
}

/** Returns whether another program has stored a root that is not the root of the parent. */
function hasWrongRoot(provider: StoredProvider, parent: ProviderFields | null): boolean {
  return provider.lacksRoot === 1 || provider.rootId !== (parent?.rootId ?? provider.id);
}

/** The place of a provider after its update. */
interface UpdatedPlace {
  readonly provider: ProviderFields;
  readonly parent: ProviderFields | null;
  /** The providers that move. Null: none. */
  readonly subtree: ReadonlyMap<number, ProviderFields> | null;
  /** The stored inventories, if the update edits them. */
  readonly inventories: readonly StoredInventory[];
}

/** Plans what the inventories consume after an update. Returns the ancestors with the counters, too. */
async function updatedConsumption(
  tx: Transaction,
  { inventories }: ProviderUpdate,
  supply: SupplyChange,
  { classes }: SupplyIds,
  { provider, parent, subtree, inventories: before }: UpdatedPlace,
): Promise<{ readonly consumption: ConsumptionChange; readonly counters: readonly ProviderFields[] }> {
  const all = statedInventories(inventories ?? {}, provider.id, ['inventories']);
  const isResolved = subtree !== null || all.some(({ consumes }) => consumes?.length);
  // rows of an inventory that another program has removed may be left
  const isEmptied = before.length === 0 && all.some(({ consumes }) => consumes !== null);
  if (!isResolved && !isEmptied && !before.some((row) => row.hasCounters))
    return { consumption: NO_CONSUMPTION, counters: [] };
  const roots = isResolved ? [...new Set([provider.rootId, parent?.rootId ?? provider.rootId])] : [];
  const stored = await treeMembers(tx, roots);
  const members = stored.map((row) => (row.id === provider.id ? provider : row));
  const stated = resolveConsumption(all, members, classes);
  const moved = [...(subtree?.keys() ?? [])];
  const plan = await planConsumption(tx, { stated, inventories: supply.inventories, moved, members });
  checkConsumptionUnused(plan);
  const { change } = plan;
  const counters = new Set(change.counterProviders);
  return { consumption: change, counters: stored.filter(({ id }) => id !== provider.id && counters.has(id)) };
}

/** Returns the parts that an update states. */
function partsOf({ aggregates, traits, inventories }: ProviderUpdate): KindSet {
  const parts = [aggregates && 'AGGREGATES', traits && 'TRAITS', inventories && 'INVENTORY'] as const;
  return kindSet(...parts.filter((part) => part != null));
}

/** Rejects an update that is invalid regardless of the stored provider (INVALID_INPUT). */
async function checkUpdate(tx: Transaction, update: ProviderUpdate, ids: SupplyIds): Promise<void> {
  const { name, parent, aggregates, traits, inventories } = update;
  if ([name, parent, aggregates, traits, inventories].every((part) => part == null))
    throw new InvalidInput(
      [],
      'the update states no edit: give name, parent, aggregates, traits or inventories',
    );
  if (name != null) await checkNewName(tx, name);
  if (typeof parent === 'object' && parent?.none === false)
    throw new InvalidInput(['parent', 'none'], 'none: false has no meaning; omit the parent to keep it');
  if (aggregates) checkSetEdit(aggregates, ['aggregates'], checkAggregates);
  if (traits) checkSetEdit(traits, ['traits'], (names, path) => checkTraits(names, path, ids.traits));
  if (inventories) checkInventoriesEdit(inventories, ['inventories'], ids.classes);
}

/** Locks both trees and returns all providers that move, by id; ILLEGAL_REPARENT if the parent is one of them. */
async function lockMove(
  tx: Transaction,
  provider: ProviderFields,
  parent: ProviderFields | null,
): Promise<Map<number, ProviderFields>> {
  await lockTrees(tx, parent ? [provider, parent] : [provider]);
  const subtree = await subtreeOf(tx, provider);
  if (parent && subtree.has(parent.id)) throw new IllegalReparent(provider.uuid, parent.uuid);
  return subtree;
}

async function move(
  tx: Transaction,
  provider: ProviderFields,
  parent: ProviderFields | null,
  subtree: ReadonlyMap<number, ProviderFields>,
): Promise<void> {
  const rootId = parent?.rootId ?? provider.id;
  await setParents(tx, [{ id: provider.id, parentId: parent?.id ?? null, rootId }]);
  if (rootId === provider.rootId) return;
  tx.recorded.addLeaving(subtree.values(), kindSet('MOVED'));
  const below = [...subtree.keys()].filter((id) => id !== provider.id);
  await setRoot(tx, below, rootId);
}
