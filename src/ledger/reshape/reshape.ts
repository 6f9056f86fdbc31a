import { InvalidInput } from '../../domain/invalidInput.js';
import { checkConsumers, type ConsumerAllocationsInput } from '../allocation/allocationInput.js';
import { readConsumerRecords } from '../allocation/consumerRecords.js';
import {
  judgeConsumers,
  labelsOf,
  providersChanged,
  readConsumerWrite,
  writeConsumerWrite,
  type ConsumerWrite,
} from '../allocation/consumerWrite.js';
import { ReshapeRefused, type ReshapeViolation } from '../errors.js';
import { judgeGeneration, markChanged } from '../generations.js';
import { checkInventories, type InventoryInput } from '../inventory/inventoryInput.js';
import {
  inventoryChange,
  rowOf,
  storedInventories,
  writeInventories,
  type InventoryChange,
  type InventoryRow,
} from '../inventory/inventoryRows.js';
import { violationsOf } from '../allocation/violations.js';
import { required, type ProviderRow } from '../provider/providerRows.js';
import { readShelves, shelfKey, stockOf } from '../inventory/inventoryUsage.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';
import { vanishingInUse, type Vanishing } from '../inventory/removedInUse.js';

/** A provider's whole final set of inventories; [] leaves it none (rule 181). */
export interface ProviderInventoriesInput {
  readonly resourceProvider: string;
  readonly generation: number;
  readonly inventories: readonly InventoryInput[];
}

export interface ReshapeInput {
  readonly inventories: readonly ProviderInventoriesInput[];
  readonly allocations: readonly ConsumerAllocationsInput[];
  /** Judges everything and writes nothing. */
  readonly dryRun?: boolean | null;
}

/**
 * The atomic pivot of the reshape spec: replaces the inventories of some providers and the allocations of some
 * consumers in one step, of which nobody sees a part (rules 181-193). Only the final state is judged: the named
 * consumers' allocations as in setAllocations, but against the final inventories; an inventory that is gone must not
 * be in use by others. A total below the use by consumers that are not named is allowed (189, decision D15).
 *
 * Refusals: INVALID_INPUT, NOT_FOUND, PROVIDER_GENERATION_CONFLICT, CONSUMER_GENERATION_CONFLICT, then RESHAPE_REFUSED
 * with everything that is wrong at once, CONCURRENT_UPDATE. Bumps each provider and consumer that changes once (D5).
 */
export async function reshape(ledger: Ledger, input: ReshapeInput): Promise<void> {
  if (input.inventories.length === 0) {
    throw new InvalidInput(['inventories'], 'a reshape names the inventories of at least one provider');
  }
  await inTransaction(ledger, async (tx) => {
    const write = await readReshape(tx, input);
    judgeConsumers(write);
    const change = await judgeReshape(tx, input.inventories, write);
    if (input.dryRun !== true) await writeReshape(tx, write, change);
  });
}

async function readReshape(
  tx: Transaction,
  { inventories, allocations }: ReshapeInput,
): Promise<ConsumerWrite> {
  const classNames = inventories.flatMap((provider) =>
    provider.inventories.map(({ resourceClass }) => resourceClass),
  );
  const records = await readConsumerRecords(tx, allocations, classNames);
  const { classes } = records.names;
  const seen = new Set<string>();
  inventories.forEach((provider, index) => {
    const path = ['inventories', String(index)];
    if (seen.has(provider.resourceProvider)) {
      const message = `resource provider ${provider.resourceProvider} is given twice`;
      throw new InvalidInput([...path, 'resourceProvider'], message);
    }
    seen.add(provider.resourceProvider);
    checkInventories(provider.inventories, [...path, 'inventories'], classes);
  });
  checkConsumers(allocations, ['allocations'], classes);
  const uuids = inventories.map(({ resourceProvider }) => resourceProvider);
  const write = await readConsumerWrite(tx, allocations, records, { named: uuids });
  for (const { resourceProvider, generation } of inventories) {
    judgeGeneration(required(write.providers, resourceProvider), generation);
  }
  return write;
}

/** The inventories to write; RESHAPE_REFUSED if the final state is not allowed. */
async function judgeReshape(
  tx: Transaction,
  inputs: readonly ProviderInventoriesInput[],
  write: ConsumerWrite,
): Promise<InventoryChange> {
  const providers = inputs.map(({ resourceProvider }) => required(write.providers, resourceProvider));
  const wanted = inputs.flatMap(({ resourceProvider, inventories }) =>
    inventories.map((inventory) =>
      rowOf(inventory, required(write.providers, resourceProvider), write.names.classes),
    ),
  );
  const change = inventoryChange(await storedInventories(tx, providers), wanted);
  const vanishing = { providers: [], inventories: change.removed };
  const violations = await finalViolations(tx, write, vanishing, { providers, inventories: wanted });
  if (violations.length > 0) throw new ReshapeRefused(violations);
  return change;
}

/** What the final state would break: what vanishes in use, then the named consumers' allocations. */
export async function finalViolations(
  tx: Transaction,
  write: ConsumerWrite,
  vanishing: Vanishing,
  /** Providers of which the whole final set of inventories is given. */
  final: { readonly providers: readonly ProviderRow[]; readonly inventories: readonly InventoryRow[] },
): Promise<ReshapeViolation[]> {
  const shelves = await readShelves(tx, write.wanted);
  const given = new Set([...final.providers, ...vanishing.providers].map(({ id }) => id));
  for (const shelf of write.wanted) if (given.has(shelf.providerId)) shelves.stock.delete(shelfKey(shelf));
  for (const row of final.inventories) shelves.stock.set(shelfKey(row), stockOf(row));
  const named = write.inputs.map(({ consumer }) => consumer);
  return [
    ...(await vanishingInUse(tx, vanishing, named, labelsOf(write))),
    ...violationsOf(write.wanted, write.named, shelves, labelsOf(write)),
  ];
}

/** Each changed provider's generation first, as everywhere, then everything else. */
async function writeReshape(tx: Transaction, write: ConsumerWrite, change: InventoryChange): Promise<void> {
  const now = tx.now;
  const offers = new Set([...change.removed, ...change.written].map(({ providerId }) => providerId));
  const changed = new Set([
    ...providersChanged(write),
    ...[...write.providers.values()].filter(({ id }) => offers.has(id)),
  ]);
  if (changed.size > 0) markChanged(tx, [...changed], now);
  await writeInventories(tx, change, now);
  await writeConsumerWrite(tx, write, now);
}
