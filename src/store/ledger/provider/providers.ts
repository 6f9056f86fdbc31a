import { randomUUID } from 'node:crypto';
import type { ProviderFields } from '../../../model/provider.js';
import { columns, read, select, type Column } from '../../sql/statements.js';
import { kindSet } from '../../../model/recordedChanges.js';
import {
  DuplicateName,
  DuplicateUuid,
  ProviderHasChildren,
  ProviderInUse,
} from '../../../model/rejections.js';
import {
  markChanged,
  checkNewName,
  findNameHolders,
  findProviders,
  insertProviders,
  removeProviders,
  required,
  setParents,
  treeMembers,
} from './providerRows.js';
import { type InventoryInput, checkInventories } from '../inventory/inventoryRows.js';
import { usersOf } from '../inventory/removedInUse.js';
import {
  batches,
  COUNT_OF_ALL,
  inTransaction,
  WriteConflict,
  type Ledger,
  type Transaction,
} from '../transaction.js';
import { checkNewUuid, ensure, firstDuplicate, InvalidInput } from '../../../model/input.js';
import { checkAggregates } from './aggregates.js';
import {
  checkConsumptionUnused,
  NO_CONSUMPTION,
  planConsumption,
  type ConsumptionChange,
} from '../inventory/consumption.js';
import { resolveConsumption } from '../inventory/statedConsumption.js';
import {
  editSupply,
  readIds,
  supplyKinds,
  writeSupply,
  type SupplyChange,
  type SupplyIds,
} from './supply.js';
import { checkTraits } from './traits.js';
import { depthFirst, lockTrees, lockWholeTrees } from './trees.js';

interface CreateProviderInput {
  readonly name: string;
  /** Generated if absent (rule 8). */
  readonly uuid?: string | null;
  readonly parent?: string | null;
  /** Whether DUPLICATE_UUID precedes DUPLICATE_NAME, as in Placement. Defaults to false. */
  readonly isUuidFirst?: boolean;
  readonly aggregates?: readonly string[];
  readonly traits?: readonly string[];
  readonly inventories?: readonly InventoryInput[];
}

/**
 * Creates a provider at generation 0, as a root or under a parent, whose root becomes its own (rules 38-40, 48), with
 * its aggregates, traits and inventories.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (the parent), DUPLICATE_NAME, DUPLICATE_UUID. A provider as
 * its own parent (rule 39) needs no separate rejection. If it is new, the parent does not exist. If
 * it is not new, the uuid is a duplicate. Both codes precede ILLEGAL_REPARENT.
 *
 * The parent's generation does not change unless its inventories become counters of the new provider. Other rejections for
 * these: OLDER_SERVER, CONSUMPTION_IN_USE (the counter has allocations of its own).
 */
export async function createProvider(ledger: Ledger, input: CreateProviderInput): Promise<{ uuid: string }> {
  const { name, parent: parentUuid, aggregates = [], traits = [], inventories = [] } = input;
  const uuid = input.uuid ?? randomUUID();
  await inTransaction(ledger, async (tx) => {
    const edits = {
      aggregates: { set: aggregates },
      traits: { set: traits },
      inventories: { set: inventories },
    };
    const ids = await readIds(tx, edits);
    await checkNewName(tx, name);
    checkNewUuid(uuid, ['uuid']);
    checkAggregates(aggregates, ['aggregates']);
    checkTraits(traits, ['traits'], ids.traits);
    checkInventories(inventories, ['inventories'], ids.classes);
    // the uuid is read after the name: if an equal request commits in between, the uuid is the duplicate, as Nova expects
    const [holder] = await findNameHolders(tx, [name]);
    const found = await findProviders(tx, parentUuid == null ? [uuid] : [uuid, parentUuid]);
    const parent = parentUuid == null ? null : required(found, parentUuid);
    const isDuplicate = found.has(uuid);
    if (holder && !(isDuplicate && input.isUuidFirst)) throw new DuplicateName(name, holder);
    if (isDuplicate) throw new DuplicateUuid(uuid);
    if (parent) await lockTrees(tx, [parent]);
    const links = { rootId: parent?.rootId ?? null, parentId: parent?.id ?? null };
    const id = (await insertProviders(tx, [{ uuid, name, ...links }])).get(uuid)!;
    if (!parent) await setParents(tx, [{ id, parentId: null, rootId: id }]);
    const { change } = editSupply(NO_SUPPLY, [{ ...edits, id }], ids);
    const supply = { ...change, consumption: await newConsumption(tx, id, parent, inventories, change, ids) };
    tx.recorded.addProviders([id], supplyKinds(supply).get(id) ?? 0);
    await writeSupply(tx, supply, ids);
  });
  return { uuid };
}

/** Plans what the inventories of a new provider consume, and marks the ancestors with the counters as changed. */
async function newConsumption(
  tx: Transaction,
  providerId: number,
  parent: ProviderFields | null,
  inventories: readonly InventoryInput[],
  supply: SupplyChange,
  { classes }: SupplyIds,
): Promise<ConsumptionChange> {
  const all = inventories.map(({ resourceClass, consumes = null }, at) => {
    return { providerId, resourceClass, consumes, path: ['inventories', String(at)] };
  });
  if (!all.some(({ consumes }) => consumes?.length)) return NO_CONSUMPTION;
  const members = await treeMembers(tx, [parent?.rootId ?? providerId]);
  const stated = resolveConsumption(all, members, classes);
  const plan = await planConsumption(tx, { stated, inventories: supply.inventories });
  checkConsumptionUnused(plan);
  const { change } = plan;
  const counters = new Set(change.counterProviders);
  const changed = members.filter(({ id }) => id !== providerId && counters.has(id));
  if (changed.length > 0) markChanged(tx, changed, kindSet('INVENTORY'));
  return change;
}

const NO_SUPPLY = { inventories: [], traits: [], aggregates: [] };

const p = columns('resource_providers');
const a = columns('allocations');
const PARENTS = select(
  { id: p.parent_provider_id as Column<number> },
  `FROM resource_providers WHERE ${p.parent_provider_id} IN (?) AND ${p.id} NOT IN (?) GROUP BY ${p.parent_provider_id}`,
);
const USED = select(
  { id: a.resource_provider_id },
  `FROM allocations WHERE ${a.resource_provider_id} IN (?) GROUP BY ${a.resource_provider_id}`,
);
const CHILDREN = select(
  { uuid: p.uuid, name: p.name as Column<string>, count: COUNT_OF_ALL },
  `FROM resource_providers WHERE ${p.parent_provider_id} = ?
   ORDER BY ${p.name} LIMIT ${ProviderHasChildren.MAX_CHILDREN}`,
);

/** The maximum number of named providers of one deletion. */
export const MAX_DELETED = 1000;

interface DeleteProvidersInput {
  readonly resourceProviders: readonly string[];
  /** Whether to delete the descendants of the named providers, too. */
  readonly recursive?: boolean;
  /** Validates everything and writes nothing. */
  readonly dryRun?: boolean;
}

/**
 * Deletes providers with their inventories and their links to traits and aggregates, all or none; the aggregates stay
 * (rules 46, 47). Returns the deleted providers: with `recursive` depth first by name, else in the order of the input.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, PROVIDER_HAS_CHILDREN (that are not deleted), PROVIDER_IN_USE (the first one).
 */
export async function deleteProviders(
  ledger: Ledger,
  { resourceProviders: uuids, recursive = false, dryRun = false }: DeleteProvidersInput,
): Promise<readonly ProviderFields[]> {
  checkDeleted(uuids);
  return inTransaction(ledger, async (tx) => {
    const found = await findProviders(tx, uuids);
    const named = uuids.map((uuid) => required(found, uuid));
    const trees = recursive ? await treesOf(tx, named) : null;
    if (!dryRun) await (trees ? lockWholeTrees(tx, trees.members) : lockTrees(tx, named));
    const deleted = trees?.subtrees ?? named;
    await checkDeletable(tx, deleted);
    if (dryRun) return deleted;
    // conflicts with a claim or an inventory that was written since the provider was read
    markChanged(tx, deleted, kindSet('DELETED'));
    await removeProviders(tx, deleted);
    return deleted;
  });
}

/** Deletes one provider. */
export async function deleteProvider(
  ledger: Ledger,
  { resourceProvider: uuid }: { readonly resourceProvider: string },
): Promise<{ uuid: string }> {
  await deleteProviders(ledger, { resourceProviders: [uuid] });
  return { uuid };
}

function checkDeleted(uuids: readonly string[]): void {
  const path = ['resourceProviders'];
  ensure(uuids.length > 0, path, 'name at least one provider');
  ensure(uuids.length <= MAX_DELETED, path, `${uuids.length} providers are named: at most ${MAX_DELETED}`);
  const repeated = firstDuplicate(uuids);
  if (repeated !== -1)
    throw new InvalidInput([...path, String(repeated)], `provider ${uuids[repeated]} is given twice`);
}

/** Reads the trees of providers, and these providers with their descendants: depth first, by name. */
async function treesOf(
  tx: Transaction,
  named: readonly ProviderFields[],
): Promise<{ readonly members: ProviderFields[]; readonly subtrees: ProviderFields[] }> {
  const members = await treeMembers(tx, [...new Set(named.map(({ rootId }) => rootId))]);
  const byId = new Map(members.map((row) => [row.id, row]));
  const tops = named.flatMap(({ id }) => byId.get(id) ?? []);
  if (tops.length < named.length) throw new WriteConflict('a provider was moved or deleted concurrently');
  return { members, subtrees: depthFirst(tops, members) };
}

/** Rejects the first provider with children that stay, then the first one with allocations. */
async function checkDeletable(tx: Transaction, deleted: readonly ProviderFields[]): Promise<void> {
  const ids = deleted.map(({ id }) => id);
  const parents = new Set<number>();
  const used = new Set<number>();
  for (const batch of batches(ids)) {
    for (const { id } of await read(tx, PARENTS, [batch, ids])) parents.add(id);
    for (const { id } of await read(tx, USED, [batch])) used.add(id);
  }
  const parent = deleted.find(({ id }) => parents.has(id));
  if (parent) {
    const children = await read(tx, CHILDREN, [parent.id]);
    throw new ProviderHasChildren(parent.uuid, children, children[0]?.count ?? 0);
  }
  const inUse = deleted.find(({ id }) => used.has(id));
  if (inUse) throw new ProviderInUse(inUse.uuid, await usersOf(tx, inUse.id));
}
