import { randomUUID } from 'node:crypto';
import { columns, read, select, type Column } from '../../sql/statements.js';
import { kindSet } from '../../../model/recordedChanges.js';
import { DuplicateUuid, ProviderHasChildren, ProviderInUse } from '../../../model/rejections.js';
import {
  markChanged,
  checkNameFree,
  checkNewName,
  findProviders,
  insertProviders,
  removeProviders,
  required,
  setParents,
} from './providerRows.js';
import { type InventoryInput, checkInventories } from '../inventory/inventoryRows.js';
import { usersOf } from '../inventory/removedInUse.js';
import { COUNT_OF_ALL, inTransaction, type Ledger } from '../transaction.js';
import { checkNewUuid } from '../../../model/input.js';
import { checkAggregates } from './aggregates.js';
import { editSupply, readIds, supplyKinds, writeSupply } from './supply.js';
import { checkTraits } from './traits.js';
import { lockTrees } from './trees.js';

interface CreateProviderInput {
  readonly name: string;
  /** Generated if absent (rule 8). */
  readonly uuid?: string | null;
  readonly parent?: string | null;
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
 * The parent's generation does not change, because the parent's supply does not change.
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
    const found = await findProviders(tx, parentUuid == null ? [uuid] : [uuid, parentUuid]);
    const parent = parentUuid == null ? null : required(found, parentUuid);
    await checkNameFree(tx, name);
    if (found.has(uuid)) throw new DuplicateUuid(uuid);
    if (parent) await lockTrees(tx, [parent]);
    const links = { rootId: parent?.rootId ?? null, parentId: parent?.id ?? null };
    const id = (await insertProviders(tx, [{ uuid, name, ...links }])).get(uuid)!;
    if (!parent) await setParents(tx, [{ id, parentId: null }], id);
    const { change: supply } = editSupply(NO_SUPPLY, [{ ...edits, id }], ids);
    tx.recorded.addProviders([id], supplyKinds(supply).get(id) ?? 0);
    await writeSupply(tx, supply, ids);
  });
  return { uuid };
}

const NO_SUPPLY = { inventories: [], traits: [], aggregates: [] };

const p = columns('resource_providers');
const a = columns('allocations');
const DEPENDENTS = select(
  {
    children: `EXISTS (SELECT 1 FROM resource_providers WHERE ${p.parent_provider_id} = ?)` as Column<number>,
    allocations: `EXISTS (SELECT 1 FROM allocations WHERE ${a.resource_provider_id} = ?)` as Column<number>,
  },
  '',
);
const CHILDREN = select(
  { uuid: p.uuid, name: p.name as Column<string>, count: COUNT_OF_ALL },
  `FROM resource_providers WHERE ${p.parent_provider_id} = ?
   ORDER BY ${p.name} LIMIT ${ProviderHasChildren.MAX_CHILDREN}`,
);

/**
 * Deletes a provider with its inventories and its links to traits and aggregates; the aggregates stay (rules 46, 47).
 *
 * Rejections: NOT_FOUND, PROVIDER_HAS_CHILDREN, PROVIDER_IN_USE.
 */
export async function deleteProvider(
  ledger: Ledger,
  { resourceProvider: uuid }: { readonly resourceProvider: string },
): Promise<{ uuid: string }> {
  await inTransaction(ledger, async (tx) => {
    const provider = required(await findProviders(tx, [uuid]), uuid);
    await lockTrees(tx, [provider]);
    const [has] = await read(tx, DEPENDENTS, [provider.id, provider.id]);
    if (has.children) {
      const children = await read(tx, CHILDREN, [provider.id]);
      throw new ProviderHasChildren(uuid, children, children[0]?.count ?? 0);
    }
    if (has.allocations) throw new ProviderInUse(uuid, await usersOf(tx, provider.id));
    // conflicts with a claim or an inventory that was written since the provider was read
    markChanged(tx, [provider], kindSet('DELETED'));
    await removeProviders(tx, [provider]);
  });
  return { uuid };
}
