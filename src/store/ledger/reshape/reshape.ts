import type { ProviderFields } from '../../../model/provider.js';
import {
  InvalidInput,
  checkConsumers,
  type ConsumerAllocationsInput,
  checkEach,
} from '../../../model/input.js';
import type { KindSet } from '../../../model/recordedChanges.js';
import {
  inventoryKey,
  limitsOf,
  readInventoryUsage,
  type AllocationRow,
} from '../allocation/allocationRows.js';
import { checkCounters } from '../allocation/counters.js';
import { checkStorable } from '../allocation/ownerNames.js';
import { allocationViolations } from '../allocation/usage.js';
import {
  checkConsumerGenerations,
  checkSpellings,
  readConsumerRecords,
  type ConsumerRecords,
} from '../allocation/consumerRows.js';
import {
  labelsOf,
  planConsumers,
  providersNamed,
  providerSteps,
  readProviders,
  writeConsumers,
  type ConsumerPlan,
  type ProvidersByKeys,
} from '../allocation/consumerPlan.js';
import { ReshapeRefused } from '../../../model/rejections.js';
import {
  checkConsumptionUnused,
  finalConsumption,
  newCounterInUse,
  planConsumption,
  writeConsumption,
  type ConsumptionPlan,
  type ConsumptionRequest,
} from '../inventory/consumption.js';
import { resolveConsumption } from '../inventory/statedConsumption.js';
import { affectedConsumers } from './affectedConsumers.js';
import {
  checkGeneration,
  markChanged,
  type Counting,
  required,
  treeMembers,
} from '../provider/providerRows.js';
import {
  type InventoryChange,
  type InventoryInput,
  type InventoryRow,
  checkInventories,
  classesOf,
  inventoryChange,
  rowOf,
  storedInventories,
  writeInventories,
} from '../inventory/inventoryRows.js';
import { addKind } from '../provider/supply.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';
import { removalViolations, violationsOfLeft, type Removed } from '../inventory/removedInUse.js';

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
 * inventories must be unused. A total below the use by unnamed consumers is allowed (189, decision D15). If the
 * consumption of an inventory in use changes, the amounts of its counters change for all its consumers.
 *
 * Rejections: OLDER_SERVER, INVALID_INPUT, NOT_FOUND, PROVIDER_GENERATION_CONFLICT, CONSUMER_GENERATION_CONFLICT,
 * CONSUMPTION_IN_USE, RESHAPE_REFUSED (all violations), CONCURRENT_UPDATE. Bumps each changed provider and consumer once (D5) unless `counting` says otherwise.
 */
export async function reshape(ledger: Ledger, input: ReshapeInput, counting?: Counting): Promise<void> {
  if (input.inventories.length === 0) {
    throw new InvalidInput(['inventories'], 'a reshape names the inventories of at least one provider');
  }
  await inTransaction(ledger, async (tx) => {
    const wanted = await readReshape(tx, input, counting);
    const { plan } = wanted;
    checkCounters(input.allocations, plan, ['allocations']);
    checkSpellings(plan.inputs, ['allocations'], plan.stored);
    checkConsumerGenerations(plan.inputs, plan.stored);
    checkConsumptionUnused(wanted.consumption);
    await checkFinalState(tx, input.inventories, wanted);
    if (input.dryRun !== true) await writeReshape(tx, wanted, input.inventories);
  });
}

/** The validated parts of a reshape. */
export interface WantedReshape {
  readonly plan: ConsumerPlan;
  readonly inventories: readonly InventoryRow[];
  readonly change: InventoryChange;
  readonly consumption: ConsumptionPlan;
  /** The ancestors with counters that the input adds. */
  readonly counterProviders: readonly ProviderFields[];
  /** The consumers that the input does not name and whose counters change. */
  readonly unnamed: ReadonlySet<string>;
}

async function readReshape(
  tx: Transaction,
  { inventories, allocations }: ReshapeInput,
  counting: Counting | undefined,
): Promise<WantedReshape> {
  const classNames = inventories.flatMap((provider) => classesOf(provider.inventories));
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
  const named = [...uuids, ...providersNamed(allocations)];
  const providers = await readProviders(tx, named, records, new Map());
  const given = named.map((uuid) => required(providers.providers, uuid)).slice(0, uuids.length);
  for (const [at, { generation }] of inventories.entries()) checkGeneration(given[at], generation);
  const wanted = inventories.flatMap((each, at) =>
    each.inventories.map((input) => rowOf(input, given[at], classes)),
  );
  const change = inventoryChange(await storedInventories(tx, given), wanted);

  const all = inventories.flatMap((each, at) =>
    each.inventories.map(({ resourceClass, consumes = null }, position) => {
      const path = ['inventories', String(at), 'inventories', String(position)];
      return { providerId: given[at].id, resourceClass, consumes, path };
    }),
  );
  const isResolved = all.some(({ consumes }) => consumes?.length);
  const members = isResolved ? await treeMembers(tx, [...new Set(given.map(({ rootId }) => rootId))]) : [];
  const stated = resolveConsumption(all, members, classes);
  const planned = await planReshape(tx, { stated, inventories: change }, allocations, {
    ...{ records, providers, classNames, counting },
  });
  const counters = new Set(planned.consumption.change.counterProviders);
  const counterProviders = members.filter(
    ({ id, uuid }) => counters.has(id) && !planned.plan.providers.has(uuid),
  );
  return { ...planned, inventories: wanted, change, counterProviders };
}

/** The stored state that the consumers of a reshape are planned with. */
interface ReshapeState {
  readonly records: ConsumerRecords;
  readonly providers: ProvidersByKeys;
  /** More classes that records of consumers contain. */
  readonly classNames: readonly string[];
  readonly counting?: Counting;
}

/**
 * Plans the consumption after a write, and the consumers of the input with all other consumers whose counters change.
 *
 * Rejections: those of {@link planConsumption}.
 */
export async function planReshape(
  tx: Transaction,
  request: ConsumptionRequest,
  allocations: readonly ConsumerAllocationsInput[],
  { records, providers, classNames, counting }: ReshapeState,
): Promise<Pick<WantedReshape, 'plan' | 'consumption' | 'unnamed'>> {
  const planned = (known: ProvidersByKeys): Promise<ConsumptionPlan> =>
    planConsumption(tx, { ...request, others: [...known.providersById.keys()], isReshape: true });
  const consumption = await planned(providers);
  const others = await affectedConsumers(tx, consumption, allocations);
  if (others.length === 0) {
    const options = { counting, consumption: await finalConsumption(tx, consumption) };
    const plan = planConsumers(allocations, records, providers, options);
    return { plan, consumption, unnamed: new Set() };
  }
  const inputs = [...allocations, ...others];
  const all = await readConsumerRecords(tx, inputs, classNames);
  const allProviders = await readProviders(tx, providersNamed(inputs), all, providers.providers);
  const final = await planned(allProviders);
  const options = { counting, consumption: await finalConsumption(tx, final) };
  const plan = planConsumers(inputs, all, allProviders, options);
  const unnamed = new Set(others.map(({ consumer }) => consumer));
  const inUse = final.inUse ?? (await newCounterInUse(tx, final, unnamed, plan));
  return { plan, consumption: { ...final, inUse }, unnamed };
}

/** Rejects a final state that is not allowed. @throws ReshapeRefused */
async function checkFinalState(
  tx: Transaction,
  inputs: readonly ProviderInventoriesInput[],
  { plan, inventories, change, unnamed }: WantedReshape,
): Promise<void> {
  const providers = inputs.map(({ resourceProvider }) => required(plan.providers, resourceProvider));
  const removed = { providers: [], inventories: change.removed };
  await checkFinalUse(tx, plan, removed, { providers, inventories, unnamed });
}

/** Checks for removals while in use, then the allocations of named consumers. @throws ReshapeRefused */
export async function checkFinalUse(
  tx: Transaction,
  plan: ConsumerPlan,
  removed: Removed,
  /** The providers whose whole final set of inventories is given, and these inventories. */
  final: {
    readonly providers: readonly ProviderFields[];
    readonly inventories: readonly InventoryRow[];
    /** The consumers that the input does not name: only their counters are checked. */
    readonly unnamed: ReadonlySet<string>;
  },
): Promise<void> {
  const { consumption } = plan;
  const keys = [...plan.wanted, ...consumption.inventoriesOf(plan.wanted)];
  const usage = { ...(await readInventoryUsage(tx, keys)), isImpliedByWrite: true };
  consumption.addImplied(usage);
  await tx.pause(plan.inputs);
  const given = new Set([...final.providers, ...removed.providers].map(({ id }) => id));
  for (const row of plan.wanted) if (given.has(row.providerId)) usage.limits.delete(inventoryKey(row));
  for (const row of final.inventories) usage.limits.set(inventoryKey(row), limitsOf(row));
  const named = plan.inputs.map(({ consumer }) => consumer);
  const removals = await removalViolations(tx, removed, named, labelsOf(plan));
  const left = plan.wanted.filter(({ consumer }) => final.unnamed.has(consumer));
  const kept = violationsOfLeft(left, removed, labelsOf(plan));
  const isChecked = (row: AllocationRow): boolean =>
    !final.unnamed.has(row.consumer) || consumption.isCounter(row);
  const violations = allocationViolations(
    plan.wanted,
    plan.named,
    usage,
    labelsOf(plan),
    consumption,
    isChecked,
  );
  const all = [
    ...removals.first,
    ...kept.first,
    ...violations.map(({ consumer, rejection }) => ({ consumer, rejection: rejection() })),
  ];
  if (all.length > 0) throw new ReshapeRefused(all, removals.count + kept.count + violations.length);
}

/** Writes the generations of changed providers first, as every write does, then all other rows. */
async function writeReshape(
  tx: Transaction,
  { plan, change, consumption, counterProviders }: WantedReshape,
  inputs: readonly ProviderInventoriesInput[],
): Promise<void> {
  const kinds = new Map<number, KindSet>();
  const { removed, added } = consumption.change;
  const rows = [...change.removed, ...change.written, ...removed, ...added];
  addKind(kinds, 'INVENTORY', rows, ({ providerId }) => providerId);
  addKind(kinds, 'INVENTORY', consumption.change.counterProviders, (id) => id);
  const steps = providerSteps(plan);
  addKind(kinds, 'USAGE', [...steps.keys()], ({ id }) => id);
  for (const { resourceProvider, inventories } of plan.counting === 'NAMED' ? inputs : []) {
    const provider = required(plan.providers, resourceProvider);
    addKind(kinds, 'INVENTORY', [provider], ({ id }) => id);
    // OpenStack Placement writes the inventories of both states and then those of the final state
    steps.set(provider, (steps.get(provider) ?? 0) + (inventories.length > 0 ? 2 : 1));
  }
  const changed = [...plan.providers.values(), ...counterProviders].filter(({ id }) => kinds.has(id));
  if (changed.length > 0) markChanged(tx, changed, ({ id }) => kinds.get(id)!, steps);
  await writeInventories(tx, change);
  await writeConsumption(tx, consumption.change);
  await tx.pause(plan.inputs);
  await writeConsumers(tx, plan);
}
