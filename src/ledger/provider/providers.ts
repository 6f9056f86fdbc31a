import { randomUUID } from 'node:crypto';
import { columns, read, select, type Column } from '../../database/statements.js';
import { isStorable } from '../../database/storable.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { kindSet } from '../../feed/recordedChanges.js';
import {
  DuplicateName,
  DuplicateUuid,
  IllegalReparent,
  ProviderHasChildren,
  ProviderInUse,
} from '../errors.js';
import { checkGeneration, markChanged } from '../generations.js';
import { checkProviderName, unstorableName } from '../names.js';
import {
  type ProviderRow,
  findNameHolders,
  findProviders,
  insertProviders,
  removeProviders,
  renameProviders,
  requireProvider,
  required,
  setParents,
  setRoot,
} from './providerRows.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';
import { lockTrees, subtreeOf } from './trees.js';

interface CreateProviderInput {
  readonly name: string;
  /** Made up when it is absent (rule 8). */
  readonly uuid?: string | null;
  readonly parent?: string | null;
}

/**
 * Creates a provider at generation 0, as a root or under a parent, whose root becomes its own (rules 38-40, 48).
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (the parent), DUPLICATE_NAME, DUPLICATE_UUID. A provider named as its own parent
 * (rule 39) needs no rejection of its own: if it is new, its parent is a provider that does not exist; if it is
 * not, the uuid is a duplicate; and both come before ILLEGAL_REPARENT.
 *
 * The parent's generation stays: what it offers is the same as before.
 */
export async function createProvider(ledger: Ledger, input: CreateProviderInput): Promise<{ uuid: string }> {
  const { name, parent: parentUuid } = input;
  checkProviderName(name);
  const uuid = input.uuid ?? randomUUID();
  await inTransaction(ledger, async (tx) => {
    const found = await findProviders(tx, parentUuid == null ? [uuid] : [uuid, parentUuid]);
    const parent = parentUuid == null ? null : required(found, parentUuid);
    await checkNameFree(tx, name);
    if (found.has(uuid)) throw new DuplicateUuid(uuid);
    if (parent) await lockTrees(tx, [parent]);
    const links = { rootId: parent?.rootId ?? null, parentId: parent?.id ?? null };
    const id = (await insertProviders(tx, [{ uuid, name, ...links }])).get(uuid);
    if (!parent && id !== undefined) await setParents(tx, [{ id, parentId: null }], id);
  });
  return { uuid };
}

interface UpdateProviderInput {
  readonly resourceProvider: string;
  /** Checked when it is given. */
  readonly generation?: number | null;
  /** Null keeps the name. */
  readonly name?: string | null;
  /** Null keeps the parent. */
  readonly parent?: string | null;
  /** Makes the provider a root; not together with `parent`. */
  readonly makeRoot?: boolean | null;
}

/**
 * Renames a provider, moves it with everything below it, or both (rules 41-44). Allocations, aggregates and
 * traits are not looked at.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (the provider, the parent), DUPLICATE_NAME, ILLEGAL_REPARENT,
 * PROVIDER_GENERATION_CONFLICT. Bumps the provider's generation if anything changes (decision D5, against rule 45).
 */
export async function updateProvider(ledger: Ledger, input: UpdateProviderInput): Promise<{ uuid: string }> {
  const { resourceProvider: uuid, name, parent: parentUuid, makeRoot } = input;
  if (name != null) checkProviderName(name);
  if (parentUuid != null && makeRoot) {
    throw new InvalidInput(['makeRoot'], `makeRoot and the parent ${parentUuid} exclude each other`);
  }
  await inTransaction(ledger, async (tx) => {
    const found = await findProviders(tx, parentUuid == null ? [uuid] : [uuid, parentUuid]);
    const provider = required(found, uuid);
    const parent = parentUuid == null ? null : required(found, parentUuid);
    const renamed = name != null && name !== provider.name;
    const moved = parent ? parent.id !== provider.parentId : makeRoot === true && provider.parentId !== null;

    if (renamed) await checkNameFree(tx, name, provider);
    const subtree = moved ? await lockMove(tx, provider, parent) : null;
    checkGeneration(provider, input.generation);
    if (!renamed && !moved) return;

    markChanged(tx, [provider], (renamed ? kindSet('RENAMED') : 0) | (moved ? kindSet('MOVED') : 0));
    if (renamed) await renameProviders(tx, [{ id: provider.id, name }]);
    if (subtree) await move(tx, provider, parent, subtree);
  });
  return { uuid };
}

/** Locks both trees and gives all providers that move, by id; ILLEGAL_REPARENT if the parent is one of them. */
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

const p = columns('resource_providers');
const a = columns('allocations');
const DEPENDENTS = select(
  {
    children: `EXISTS (SELECT 1 FROM resource_providers WHERE ${p.parent_provider_id} = ?)` as Column<number>,
    allocations: `EXISTS (SELECT 1 FROM allocations WHERE ${a.resource_provider_id} = ?)` as Column<number>,
  },
  '',
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
    const provider = await requireProvider(tx, uuid);
    await lockTrees(tx, [provider]);
    const [has] = await read(tx, DEPENDENTS, [provider.id, provider.id]);
    if (has.children) throw new ProviderHasChildren(uuid);
    if (has.allocations) throw new ProviderInUse(uuid);
    // conflicts with a claim or an inventory that was written since the provider was read
    markChanged(tx, [provider], kindSet('DELETED'));
    await removeProviders(tx, [provider]);
  });
  return { uuid };
}

/** Rejects a name that the table cannot hold, or that another provider has. */
async function checkNameFree(tx: Transaction, name: string, provider?: ProviderRow): Promise<void> {
  if (!(await isStorable(tx, 'resource_providers', name))) throw unstorableName(['name'], name);
  const holder = (await findNameHolders(tx, [name])).at(0);
  if (holder && holder.id !== provider?.id) throw new DuplicateName(name, holder);
}
