import type { ProviderFields } from '../../../model/provider.js';
import {
  InvalidInput,
  checkConsumers,
  type ConsumerAllocationsInput,
  checkEach,
} from '../../../model/input.js';
import type { KindSet } from '../../../model/recordedChanges.js';
import {
  allocationViolations,
  readInventoryUsage,
  inventoryKey,
  limitsOf,
} from '../allocation/allocationRows.js';
import { checkStorable } from '../allocation/ownerNames.js';
import { checkConsumerGenerations, checkSpellings, readConsumerRecords } from '../allocation/consumerRows.js';
import {
  labelsOf,
  providerSteps,
  readConsumerPlan,
  writeConsumers,
  type ConsumerPlan,
} from '../allocation/consumerPlan.js';
import { ReshapeRefused } from '../../../model/rejections.js';
import { checkGeneration, markChanged, type Counting, required } from '../provider/providerRows.js';
import {
  type InventoryChange,
  type InventoryInput,
  type InventoryRow,
  checkInventories,
  inventoryChange,
  rowOf,
  storedInventories,
  writeInventories,
} from '../inventory/inventoryRows.js';
import { addKind } from '../provider/supply.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';
import { removalViolations, type Removed } from '../inventory/removedInUse.js';

/** The whole final set of inventories of a provider. [] removes all of them (rule 181). */
export interface ProviderInventoriesInput {
  readonly resourceProvider: string;
  /** The generation that the caller has read. */
  readonly generation: number;
  readonly inventories: readonly InventoryInput[];
}

export interface ReshapeInput {
  readonly inventories: readonly ProviderInventoriesInput[];
  readonly allocations: readonly ConsumerAllocationsInput[];
  /** Validates everything and writes nothing. */
  readonly dryRun?: boolean | null;
}

/**
 * Replaces the inventories of some providers and the allocations of some consumers atomically (reshape spec, rules
 * 181-193). Only the final state is validated: allocations as in setAllocations against the final inventories; removed
 * inventories must be unused. A total below the use by unnamed consumers is allowed (189, decision D15).
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, PROVIDER_GENERATION_CONFLICT, CONSUMER_GENERATION_CONFLICT, RESHAPE_REFUSED
 * (all violations), CONCURRENT_UPDATE. Bumps each changed provider and consumer once (D5) unless `counting` says otherwise.
 */
export async function reshape(ledger: Ledger, input: ReshapeInput, counting?: Counting): Promise<void> {
  if (input.inventories.length === 0) {
    throw new InvalidInput(['inventories'], 'a reshape names the inventories of at least one provider');
  }
  await inTransaction(ledger, async (tx) => {
    const plan = await readReshape(tx, input, counting);
    checkSpellings(plan.inputs, ['allocations'], plan.stored);
    checkConsumerGenerations(plan.inputs, plan.stored);
    const change = await checkFinalState(tx, input.inventories, plan);
    if (input.dryRun !== true) await writeReshape(tx, plan, change, input.inventories);
  });
}

async function readReshape(
  tx: Transaction,
  { inventories, allocations }: ReshapeInput,
  counting: Counting | undefined,
): Promise<ConsumerPlan> {
  const stated = inventories.flatMap((provider) => provider.inventories);
  const classNames = stated.map(({ resourceClass }) => resourceClass);
  const records = await readConsumerRecords(tx, allocations, classNames);
  const { classes } = records.names;
  await tx.pause(allocations);
  checkEach(inventories, 'resourceProvider', ['inventories'], (provider, path) =>
    checkInventories(provider.inventories, [...path, 'inventories'], classes),
  );
  checkConsumers(allocations, ['allocations'], classes);
  checkStorable(allocations, ['allocations'], records.names);
  await tx.pause(allocations);
  const uuids = inventories.map(({ resourceProvider }) => resourceProvider);
  const plan = await readConsumerPlan(tx, allocations, records, { named: uuids, counting });
  for (const { resourceProvider, generation } of inventories) {
    checkGeneration(required(plan.providers, resourceProvider), generation);
  }
  return plan;
}

/** Returns the inventories to write. RESHAPE_REFUSED if the final state is not allowed. */
async function checkFinalState(
  tx: Transaction,
  inputs: readonly ProviderInventoriesInput[],
  plan: ConsumerPlan,
): Promise<InventoryChange> {
  const providers = inputs.map(({ resourceProvider }) => required(plan.providers, resourceProvider));
  const wanted = inputs.flatMap(({ resourceProvider, inventories }) =>
    inventories.map((inventory) =>
      rowOf(inventory, required(plan.providers, resourceProvider), plan.names.classes),
    ),
  );
  const change = inventoryChange(await storedInventories(tx, providers), wanted);
  const removed = { providers: [], inventories: change.removed };
  await checkFinalUse(tx, plan, removed, { providers, inventories: wanted });
  return change;
}

/** Checks for removals while in use, then the allocations of named consumers. @throws ReshapeRefused */
export async function checkFinalUse(
  tx: Transaction,
  plan: ConsumerPlan,
  removed: Removed,
  /** The providers whose whole final set of inventories is given, and these inventories. */
  final: { readonly providers: readonly ProviderFields[]; readonly inventories: readonly InventoryRow[] },
): Promise<void> {
  const usage = await readInventoryUsage(tx, plan.wanted);
  await tx.pause(plan.inputs);
  const given = new Set([...final.providers, ...removed.providers].map(({ id }) => id));
  for (const row of plan.wanted) if (given.has(row.providerId)) usage.limits.delete(inventoryKey(row));
  for (const row of final.inventories) usage.limits.set(inventoryKey(row), limitsOf(row));
  const named = plan.inputs.map(({ consumer }) => consumer);
  const removals = await removalViolations(tx, removed, named, labelsOf(plan));
  const violations = allocationViolations(plan.wanted, plan.named, usage, labelsOf(plan));
  const all = [
    ...removals.first,
    ...violations.map(({ consumer, rejection }) => ({ consumer, rejection: rejection() })),
  ];
  if (all.length > 0) throw new ReshapeRefused(all, removals.count + violations.length);
}

/** Writes the generations of changed providers first, as every write does, then all other rows. */
async function writeReshape(
  tx: Transaction,
  plan: ConsumerPlan,
  change: InventoryChange,
  inputs: readonly ProviderInventoriesInput[],
): Promise<void> {
  const kinds = new Map<number, KindSet>();
  addKind(kinds, 'INVENTORY', [...change.removed, ...change.written], ({ providerId }) => providerId);
  const steps = providerSteps(plan);
  addKind(kinds, 'USAGE', [...steps.keys()], ({ id }) => id);
  for (const { resourceProvider, inventories } of plan.counting === 'NAMED' ? inputs : []) {
    const provider = required(plan.providers, resourceProvider);
    addKind(kinds, 'INVENTORY', [provider], ({ id }) => id);
    // OpenStack Placement writes the inventories of both states and then those of the final state
    steps.set(provider, (steps.get(provider) ?? 0) + (inventories.length > 0 ? 2 : 1));
  }
  const changed = [...plan.providers.values()].filter(({ id }) => kinds.has(id));
  if (changed.length > 0) markChanged(tx, changed, ({ id }) => kinds.get(id)!, steps);
  await writeInventories(tx, change);
  await tx.pause(plan.inputs);
  await writeConsumers(tx, plan);
}
