import { idsByName } from '../../database/catalog.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { kindSet } from '../../feed/recordedChanges.js';
import { IllegalReparent } from '../errors.js';
import { checkGeneration, confirmUnchanged, markChanged } from '../generations.js';
import {
  type InventoriesEdit,
  checkInventoriesEdit,
  checkUnused,
  classesIn,
  editedInventories,
  requireEdited,
} from '../inventory/inventoryEdits.js';
import { storedInventories } from '../inventory/inventoryRows.js';
import { type Ledger, type Transaction, inTransaction } from '../transaction.js';
import { aggregateIds, checkAggregates } from './aggregates.js';
import {
  type Link,
  type LinkTable,
  type SetEdit,
  checkSetEdit,
  editedLinks,
  namedIn,
  storedLinks,
} from './links.js';
import {
  type ProviderRow,
  checkNameFree,
  checkNewName,
  findProviders,
  renameProviders,
  required,
  setParents,
  setRoot,
} from './providerRows.js';
import { type SupplyChange, supplyChange, supplyKinds, writeSupply } from './supply.js';
import { checkTraits } from './traits.js';
import { lockTrees, subtreeOf } from './trees.js';

/** The edits of a provider. Null or absent parts stay as they are. */
export interface ProviderUpdate {
  readonly resourceProvider: string;
  /** Checked if given. */
  readonly generation?: number | null;
  readonly name?: string | null;
  /** The uuid of the new parent. `none: true` makes the provider a root. */
  readonly parent?: string | { readonly none: boolean } | null;
  readonly aggregates?: SetEdit | null;
  readonly traits?: SetEdit | null;
  readonly inventories?: InventoriesEdit | null;
}

/** The ids of the names in an update. */
interface Ids {
  readonly classes: ReadonlyMap<string, number>;
  readonly traits: ReadonlyMap<string, number>;
  /** Below 0 for aggregates to create. */
  readonly aggregates: ReadonlyMap<string, number>;
}

/**
 * Renames a provider, moves it with everything below it, and changes its aggregates, traits and inventories, all or
 * nothing (rules 41-44, 58, 70-72, 79). A move ignores allocations, aggregates and traits. A capacity below the usage
 * is allowed (34). Races are retried here, so the generation is optional for every edit.
 *
 * Rejections: INVALID_INPUT (also if patched fields contradict stored ones), NOT_FOUND (the provider, the parent, an
 * inventory to patch or remove), DUPLICATE_NAME, ILLEGAL_REPARENT, PROVIDER_GENERATION_CONFLICT, INVENTORY_IN_USE
 * (rule 32). Bumps the generation once if anything changes (decision D5).
 */
export async function updateProvider(ledger: Ledger, update: ProviderUpdate): Promise<{ uuid: string }> {
  const { resourceProvider: uuid, name, parent: target } = update;
  await inTransaction(ledger, async (tx) => {
    const ids = await readIds(tx, update);
    await checkUpdate(tx, update, ids);
    const parentUuid = typeof target === 'string' ? target : null;
    const found = await findProviders(tx, parentUuid === null ? [uuid] : [uuid, parentUuid]);
    const provider = required(found, uuid);
    const parent = parentUuid === null ? null : required(found, parentUuid);
    const inventories = update.inventories ? await storedInventories(tx, [provider]) : [];
    if (update.inventories) requireEdited(update.inventories, inventories, provider, ids.classes);

    const renamed = name != null && name !== provider.name;
    const moved = target != null && (parent?.id ?? null) !== provider.parentId;
    if (renamed) await checkNameFree(tx, name, provider);
    const subtree = moved ? await lockMove(tx, provider, parent) : null;
    checkGeneration(provider, update.generation);
    const supply = await readSupplyChange(tx, update, { provider, inventories, ids });
    await checkUnused(tx, provider, supply.inventories.removed);

    const kinds =
      (renamed ? kindSet('RENAMED') : 0) |
      (moved ? kindSet('MOVED') : 0) |
      (supplyKinds(supply).get(provider.id) ?? 0);
    if (kinds === 0) return confirmUnchanged(tx, [provider]);
    markChanged(tx, [provider], kinds);
    if (renamed) await renameProviders(tx, [{ id: provider.id, name }]);
    if (subtree) await move(tx, provider, parent, subtree);
    await writeSupply(tx, supply, ids.aggregates);
  });
  return { uuid };
}

async function readIds(tx: Transaction, { aggregates, traits, inventories }: ProviderUpdate): Promise<Ids> {
  return {
    classes: await idsByName(tx, 'resource_classes', inventories ? classesIn(inventories) : []),
    traits: await idsByName(tx, 'traits', traits ? namedIn(traits) : []),
    aggregates: await aggregateIds(tx, aggregates ? namedIn(aggregates) : []),
  };
}

/** Rejects an update that is invalid whatever is stored of the provider (INVALID_INPUT). */
async function checkUpdate(tx: Transaction, update: ProviderUpdate, ids: Ids): Promise<void> {
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

async function readSupplyChange(
  tx: Transaction,
  update: ProviderUpdate,
  {
    provider,
    inventories,
    ids,
  }: { readonly provider: ProviderRow; readonly inventories: Stored; readonly ids: Ids },
): Promise<SupplyChange> {
  const linksOf = async (
    table: LinkTable,
    edit: SetEdit | null | undefined,
    targets: ReadonlyMap<string, number>,
  ) => {
    if (!edit) return NO_LINKS;
    const stored = await storedLinks(tx, table, [provider]);
    return { stored, wanted: editedLinks(edit, stored, provider, targets) };
  };
  const aggregates = await linksOf('resource_provider_aggregates', update.aggregates, ids.aggregates);
  const traits = await linksOf('resource_provider_traits', update.traits, ids.traits);
  const offers = editedInventories(update.inventories ?? {}, inventories, provider, ids.classes, [
    'inventories',
  ]);
  return supplyChange(
    { inventories: offers.stored, traits: traits.stored, aggregates: aggregates.stored },
    { inventories: offers.wanted, traits: traits.wanted, aggregates: aggregates.wanted },
  );
}

type Stored = Awaited<ReturnType<typeof storedInventories>>;

const NO_LINKS: Readonly<Record<'stored' | 'wanted', readonly Link[]>> = { stored: [], wanted: [] };

/** Locks both trees and returns all providers that move, by id; ILLEGAL_REPARENT if the parent is one of them. */
async function lockMove(
  tx: Transaction,
  provider: ProviderRow,
  parent: ProviderRow | null,
): Promise<Map<number, ProviderRow>> {
  await lockTrees(tx, parent ? [provider, parent] : [provider]);
  const subtree = await subtreeOf(tx, provider);
  if (parent && subtree.has(parent.id)) throw new IllegalReparent(provider.uuid, parent.uuid);
  return subtree;
}

async function move(
  tx: Transaction,
  provider: ProviderRow,
  parent: ProviderRow | null,
  subtree: ReadonlyMap<number, ProviderRow>,
): Promise<void> {
  const rootId = parent?.rootId ?? provider.id;
  await setParents(tx, [{ id: provider.id, parentId: parent?.id ?? null }], rootId);
  if (rootId === provider.rootId) return;
  tx.recorded.addLeaving(subtree.values(), kindSet('MOVED'));
  const below = [...subtree.keys()].filter((id) => id !== provider.id);
  await setRoot(tx, below, rootId);
}
