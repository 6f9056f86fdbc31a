import type { ConsumerAllocationsInput } from './allocationInput.js';
import {
  allocationChange,
  storedAllocations,
  wantedAllocations,
  writeAllocations,
  type AllocationChange,
  type AllocationRow,
  type StoredAllocation,
} from './allocationRows.js';
import {
  changesOwner,
  confirmConsumers,
  findConsumers,
  judgeConsumerGenerations,
  writeConsumers,
  type ConsumerChange,
  type ConsumerRow,
} from './consumerRows.js';
import type { Labels } from './judgement.js';
import type { NamesUsed } from './namesUsed.js';
import { findProvidersOf, required, type ProviderRow } from './providerRows.js';
import type { Transaction } from './transaction.js';

/** A write of whole consumers: what they have, what they shall have, and the providers that either is on. */
export interface ConsumerWrite {
  readonly inputs: readonly ConsumerAllocationsInput[];
  readonly names: NamesUsed;
  readonly stored: ReadonlyMap<string, ConsumerRow>;
  readonly named: readonly StoredAllocation[];
  readonly wanted: readonly AllocationRow[];
  readonly change: AllocationChange;
  /** All providers concerned, by uuid and by id; their generations are older than any usage read from now on. */
  readonly providers: ReadonlyMap<string, ProviderRow>;
  readonly providersById: ReadonlyMap<number, ProviderRow>;
}

/** Providers that a write is about besides those that its consumers name. */
interface ProvidersConcerned {
  /** Uuids of providers to look up. */
  readonly named?: readonly string[];
  /** Providers as the transaction has read them already, or is about to create them, by uuid: not looked up again. */
  readonly known?: ReadonlyMap<string, ProviderRow>;
}

/**
 * Reads what a write of whole consumers rests on, in three statements. Unknown providers are NOT_FOUND, the first in the
 * order of those named besides and then of the consumers' input. Generations are not judged yet.
 */
export async function readConsumerWrite(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  names: NamesUsed,
  { named: besides = [], known = new Map() }: ProvidersConcerned = {},
): Promise<ConsumerWrite> {
  const consumers = inputs.map(({ consumer }) => consumer);
  const stored = await findConsumers(tx, consumers);
  const named = await storedAllocations(tx, consumers);
  const uuids = [
    ...besides,
    ...inputs.flatMap(({ allocations }) => allocations.map(({ resourceProvider }) => resourceProvider)),
  ];
  const knownIds = new Set([...known.values()].map(({ id }) => id));
  const found = await findProvidersOf(
    tx,
    uuids.filter((uuid) => !known.has(uuid)),
    [...new Set(named.map(({ providerId }) => providerId))].filter((id) => !knownIds.has(id)),
  );
  const providers = new Map([...found, ...known]);
  for (const uuid of uuids) required(providers, uuid);
  const wanted = wantedAllocations(inputs, {
    provider: (uuid) => required(providers, uuid).id,
    class: (name) => names.classes.get(name) ?? -1,
  });
  return {
    inputs,
    names,
    stored,
    named,
    wanted,
    change: allocationChange(named, wanted),
    providers,
    providersById: new Map([...providers.values()].map((provider) => [provider.id, provider])),
  };
}

export function judgeConsumers({ inputs, stored }: ConsumerWrite): void {
  judgeConsumerGenerations(inputs, stored);
}

/** The providers of which somebody's use changes (decision D5). */
export function providersChanged({ change, providersById }: ConsumerWrite): ProviderRow[] {
  const ids = new Set([...change.removed, ...change.added].map(({ providerId }) => providerId));
  return [...ids].flatMap((id) => providersById.get(id) ?? []);
}

/** Writes consumers and allocations; a consumer of which nothing changes is left alone. Call markChanged before. */
export async function writeConsumerWrite(tx: Transaction, write: ConsumerWrite, now: Date): Promise<void> {
  const changes = consumersChanged(write);
  const changed = new Set(changes.map(({ input }) => input.consumer));
  const others = write.inputs.flatMap(({ consumer }) =>
    changed.has(consumer) ? [] : (write.stored.get(consumer) ?? []),
  );
  await confirmConsumers(tx, others);
  await writeConsumers(tx, changes, write.names, now);
  await writeAllocations(tx, write.change, now);
}

/** The consumers of which anything changes: their allocations or their owner. */
export function consumersChanged({ inputs, stored, change, names }: ConsumerWrite): ConsumerChange[] {
  const moved = new Set([...change.removed, ...change.added].map(({ consumer }) => consumer));
  return inputs
    .map((input): ConsumerChange => ({ input, stored: stored.get(input.consumer) }))
    .filter((each) =>
      each.input.allocations.length === 0
        ? each.stored !== undefined || moved.has(each.input.consumer)
        : moved.has(each.input.consumer) || changesOwner(each, names),
    );
}

export function labelsOf({ providersById, names }: ConsumerWrite): Labels {
  const classNames = new Map([...names.classes].map(([name, id]) => [id, name]));
  return {
    provider: (id) => providersById.get(id)?.uuid ?? String(id),
    class: (id) => classNames.get(id) ?? String(id),
  };
}
