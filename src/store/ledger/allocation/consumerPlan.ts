import type { ProviderFields } from '../../../model/provider.js';
import type { ConsumerEntity } from '../../../model/entities.js';
import type { ConsumerAllocationsInput } from '../../../model/input.js';
import {
  writeAllocations,
  type AllocationChange,
  type AllocationRow,
  type StoredAllocation,
} from './allocationRows.js';
import type { Labels } from './usage.js';
import { type ConsumerRecords, writeConsumerRows, type ConsumerWrite } from './consumerRows.js';
import { confirmUnchanged, type Counting, findProviders, required } from '../provider/providerRows.js';
import { Consumption } from './counters.js';
import { changesExpiry, expiryOf } from './holds.js';
import { nameOf, type NamesUsed } from './ownerNames.js';
import { changeOf, type Transaction } from '../transaction.js';
import { readQuotaUse, unmarkKept, type CountedConsumer, type QuotaUse } from '../../quotas/quotaUse.js';
import { groupBy } from '../../../model/collections.js';

/** The stored and the wanted state of the consumers of a write, and the providers of both. */
export interface ConsumerPlan extends ConsumerRecords {
  readonly inputs: readonly ConsumerAllocationsInput[];
  readonly wanted: readonly AllocationRow[];
  /** Consumers that change even with equal allocations. */
  readonly alwaysChanged: ReadonlySet<string>;
  readonly counting: Counting;
  readonly change: AllocationChange;
  /** All providers concerned, by uuid. Their generations are older than any usage read later. */
  readonly providers: ReadonlyMap<string, ProviderFields>;
  readonly providersById: ReadonlyMap<number, ProviderFields>;
  /** What the inventories of the providers consume. `wanted` has the sums. */
  readonly consumption: Consumption;
}

/** Providers by uuid and by id. */
export type ProvidersByKeys = Pick<ConsumerPlan, 'providers' | 'providersById'>;

/** Adds the providers with these uuids, and those of the stored allocations, to the known ones. */
export async function readProviders(
  tx: Transaction,
  uuids: readonly string[],
  { named }: ConsumerRecords,
  known: ReadonlyMap<string, ProviderFields>,
): Promise<ProvidersByKeys> {
  const knownIds = new Set(Array.from(known.values(), ({ id }) => id));
  const found = await findProviders(
    tx,
    uuids.filter((uuid) => !known.has(uuid)),
    providersHeld(named).filter((id) => !knownIds.has(id)),
  );
  const providers = new Map([...found, ...known]);
  return { providers, providersById: new Map(Array.from(providers.values(), (row) => [row.id, row])) };
}

export function providersNamed(inputs: readonly ConsumerAllocationsInput[]): string[] {
  return inputs.flatMap(({ allocations }) => allocations.map(({ resourceProvider }) => resourceProvider));
}

/** Returns the ids of the providers of allocations. */
export function providersHeld(allocations: readonly AllocationRow[]): number[] {
  return [...new Set(allocations.map(({ providerId }) => providerId))];
}

export interface PlanOptions {
  /** Defaults to CHANGED. With NAMED, all consumers change too. */
  readonly counting?: Counting;
  /** Consumers whose allocations go to another one. */
  readonly handingOver?: Iterable<string>;
  /** Defaults to none. */
  readonly consumption?: Consumption;
}

/**
 * Plans the write of the consumers of `inputs`. Equal rows are not written again. If another program has left several
 * rows for one consumer, provider and class, one row replaces them. The sums of what the allocations consume replace the
 * counters of the input. NOT_FOUND if a provider is unknown.
 */
export function planConsumers(
  given: readonly ConsumerAllocationsInput[],
  { names, stored, named: all }: ConsumerRecords,
  providers: ProvidersByKeys,
  { counting = 'CHANGED', handingOver = [], consumption = Consumption.NONE }: PlanOptions = {},
): ConsumerPlan {
  const wantedOf = given.map(({ consumer, allocations }) => {
    const rows = allocations.flatMap(({ resourceProvider, resources }) => {
      const providerId = required(providers.providers, resourceProvider).id;
      return resources.map(({ resourceClass, amount: used }): AllocationRow => {
        return { consumer, providerId, classId: names.classes.get(resourceClass) ?? -1, used };
      });
    });
    return consumption.isEmpty ? rows : consumption.complete(rows);
  });
  // a consumer that has nothing but counters is removed
  const inputs = given.map((input, at) => (wantedOf[at].length > 0 ? input : { ...input, allocations: [] }));
  const wanted = wantedOf.flat();
  const consumers = new Set(inputs.map(({ consumer }) => consumer));
  const named = all.filter(({ consumer }) => consumers.has(consumer));
  const keyOf = ({ consumer, providerId, classId }: AllocationRow): string =>
    `${consumer}:${providerId}:${classId}`;
  const isEqual = (one: StoredAllocation, other: AllocationRow): boolean =>
    one.used === other.used && one.text === textOf(stored, one.consumer);
  const staying = counting === 'NAMED' ? stayingInOrder(named, wanted, keyOf, isEqual) : null;
  const change = changeOf(
    named,
    wanted,
    keyOf,
    (one, other) => isEqual(one, other) && (staying?.has(other) ?? true),
  );
  const alwaysChanged = counting === 'NAMED' ? consumers : new Set(handingOver);
  return { inputs, names, stored, named, wanted, alwaysChanged, counting, change, consumption, ...providers };
}

/**
 * Returns the wanted rows of each consumer that may stay so that the ids of its rows, old and new, are in the wanted
 * order: REST lists allocations in the order in which they were written.
 */
function stayingInOrder(
  named: readonly StoredAllocation[],
  wanted: readonly AllocationRow[],
  keyOf: (row: AllocationRow) => string,
  isEqual: (one: StoredAllocation, other: AllocationRow) => boolean,
): ReadonlySet<AllocationRow> {
  const storedOf = new Map(named.map((row) => [keyOf(row), row]));
  const lastIds = new Map<string, number>();
  const staying = new Set<AllocationRow>();
  for (const row of wanted) {
    const old = storedOf.get(keyOf(row));
    const last = lastIds.get(row.consumer) ?? 0;
    const stays = old !== undefined && old.id > last && isEqual(old, row);
    if (stays) staying.add(row);
    lastIds.set(row.consumer, stays ? old.id : Infinity);
  }
  return staying;
}

/** Returns the text that the rows of a consumer have. */
function textOf(stored: ConsumerRecords['stored'], consumer: string): string {
  return stored.get(consumer)?.text ?? consumer;
}

/**
 * Returns the providers whose usage by any consumer changes (decision D5). A consumer that an external program has left
 * without its row is created, so its equal allocations count as changed, too.
 */
export function providersChanged(plan: ConsumerPlan): ProviderFields[] {
  const { change, providersById } = plan;
  const ids = providersHeld([...change.removed, ...change.added, ...unowned(plan)]);
  return ids.flatMap((id) => providersById.get(id) ?? []);
}

/** Returns the steps of the generations of all providers that a plan changes or counts. */
export function providerSteps(plan: ConsumerPlan): Map<ProviderFields, number> {
  const { counting, inputs, wanted, named, providersById } = plan;
  const least = counting === 'CHANGED' ? 1 : 0;
  const steps = new Map(providersChanged(plan).map((provider) => [provider, least]));
  if (counting === 'CHANGED') return steps;
  const emptied = new Set(inputs.flatMap((each) => (each.allocations.length === 0 ? each.consumer : [])));
  const counted = counting === 'RELEASED' ? [] : named.filter(({ consumer }) => emptied.has(consumer));
  for (const id of providersHeld([...wanted, ...counted, ...unowned(plan)])) {
    const provider = providersById.get(id);
    if (provider) steps.set(provider, 1);
  }
  return steps;
}

/** Returns the allocations that an external program has left without the row of their consumer. */
function unowned({ named, stored }: ConsumerPlan): readonly AllocationRow[] {
  return named.filter(({ consumer }) => !stored.has(consumer));
}

/**
 * Writes the changed consumers, the change of allocations, and the usage that quotas count. Call markChanged before.
 *
 * @param counted has counted the change. Null or absent: it is counted here, without a check.
 */
export async function writeConsumers(
  tx: Transaction,
  plan: ConsumerPlan,
  counted: QuotaUse | null = null,
): Promise<void> {
  const use = counted ?? (tx.quotas && (await countedUse(tx, plan)));
  const changes = consumersChanged(plan);
  const changed = new Set(changes.map(({ input }) => input.consumer));
  const others = plan.inputs.flatMap(({ consumer }) =>
    changed.has(consumer) ? [] : (plan.stored.get(consumer) ?? []),
  );
  // if two writers have the same generation and the same allocations, one of them must fail
  await confirmUnchanged(tx, others, 'consumers');
  await writeConsumerRows(tx, changes, plan.names);
  await tx.pause(plan.inputs);
  writeAllocations(tx, plan.change, (consumer) => textOf(plan.stored, consumer));
  if (use !== null) writeQuotaUse(tx, plan, changes, use);
}

/** Reads the usage that quotas count, and counts a plan without a check. */
async function countedUse(tx: Transaction, plan: ConsumerPlan): Promise<QuotaUse | null> {
  const projects = plan.inputs.map(({ projectId }) => projectId);
  const use = await readQuotaUse(tx, projects);
  await use?.readStored(tx, plan.stored.values());
  use?.count(...countedConsumers(plan, use.kept));
  return use;
}

/** Stores the usage after the consumers: the order of all writes is providers, consumers, counted usage. */
function writeQuotaUse(
  tx: Transaction,
  { names }: ConsumerPlan,
  changes: readonly ConsumerWrite[],
  use: QuotaUse,
): void {
  use.write(tx, (project) => nameOf(names, 'projects', project).id);
  const deleted = changes.flatMap(({ input, stored }) =>
    input.allocations.length === 0 && stored !== undefined ? [stored, ...stored.duplicates] : [],
  );
  const ids = deleted.map(({ id }) => id).filter((id) => use.kept.has(id));
  unmarkKept(tx, ids);
}

/** Returns the consumers of a plan before and after it, as quotas count them. */
export function countedConsumers(
  { inputs, stored, named, wanted, names }: ConsumerPlan,
  kept: ReadonlySet<number>,
  /** New consumers that keep former allocations of others. */
  takingOver: Pick<ReadonlySet<string>, 'has'> = new Set(),
): [before: CountedConsumer[], after: CountedConsumer[]] {
  const textsOf = groupBy(named, ({ text }) => text);
  const before = inputs
    .flatMap(({ consumer }) => stored.get(consumer) ?? [])
    .flatMap((row) => [row, ...row.duplicates])
    .map(({ id, text, projectId, consumerType }) => {
      const amounts = textsOf.get(text) ?? [];
      return { project: projectId, type: consumerType, isKept: kept.has(id), amounts };
    });
  const wantedOf = groupBy(wanted, ({ consumer }) => consumer);
  const after = inputs.flatMap(({ consumer, projectId, type }): CountedConsumer[] => {
    const amounts = wantedOf.get(consumer);
    const row = stored.get(consumer);
    if (amounts === undefined) return [];
    const project = names.projects.get(projectId)?.id ?? projectId;
    const isKept = row === undefined ? takingOver.has(consumer) : kept.has(row.id);
    return [{ project, type: type ?? row?.consumerType ?? null, isKept, amounts }];
  });
  return [before, after];
}

/** Returns the consumers whose allocations or owner change. */
export function consumersChanged(plan: ConsumerPlan): ConsumerWrite[] {
  const { inputs, stored, alwaysChanged, change, names } = plan;
  const rows = [...change.removed, ...change.added];
  const moved = new Set([...rows.map(({ consumer }) => consumer), ...alwaysChanged]);
  return inputs
    .map((input): ConsumerWrite => ({ input, stored: stored.get(input.consumer) }))
    .filter((each) =>
      each.input.allocations.length === 0
        ? each.stored !== undefined || moved.has(each.input.consumer)
        : moved.has(each.input.consumer) || changesOwner(each, names) || changesHold(each),
    );
}

function changesHold({ input, stored }: ConsumerWrite): boolean {
  return stored !== undefined && changesExpiry(input.expiresAt, stored);
}

export function labelsOf({ providersById, names, consumption }: ConsumerPlan): Labels {
  const classNames = new Map([...names.classes].map(([name, id]) => [id, name]));
  return {
    provider: (id) => providersById.get(id)?.uuid ?? String(id),
    class: (id) => classNames.get(id) ?? consumption.classNames.get(id) ?? String(id),
  };
}

/** Returns the remaining consumers as {@link writeConsumers} leaves them, in the order of the input. */
export function writtenConsumers(plan: ConsumerPlan): ConsumerEntity[] {
  const changed = new Set(consumersChanged(plan).map(({ input }) => input.consumer));
  return plan.inputs
    .filter(({ allocations }) => allocations.length > 0)
    .map(({ consumer: uuid, projectId, userId, type, expiresAt }) => {
      const stored = plan.stored.get(uuid);
      const given = type == null ? null : nameOf(plan.names, 'consumer_types', type).name;
      return {
        uuid,
        generation: (stored?.generation ?? 0) + (changed.has(uuid) ? 1 : 0),
        consumerType: given ?? stored?.consumerType ?? null,
        projectId: nameOf(plan.names, 'projects', projectId).name,
        userId: nameOf(plan.names, 'users', userId).name,
        expiresAt: expiresAt !== undefined || stored === undefined ? (expiresAt ?? null) : expiryOf(stored),
      };
    });
}

/** Returns true if the consumer is new or the write changes its project, user or type. */
function changesOwner({ input, stored }: ConsumerWrite, names: NamesUsed): boolean {
  if (stored === undefined) return true;
  return (
    names.projects.get(input.projectId)?.id !== stored.projectId ||
    names.users.get(input.userId)?.id !== stored.userId ||
    (input.type != null && names.consumer_types.get(input.type)?.id !== stored.consumerTypeId)
  );
}
