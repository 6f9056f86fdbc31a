import { classesNamed, type ConsumerAllocationsInput } from './allocationInput.js';
import type { AllocationChange, AllocationRow } from './allocationRows.js';
import { readConsumerRecords, type ConsumerRecords } from './consumerRecords.js';
import {
  labelsOf,
  planConsumers,
  providersByKeys,
  providersChanged,
  providersHeld,
  providersNamed,
  writeConsumers,
  writtenConsumers,
  type ConsumerPlan,
  type ProvidersByKeys,
  type WrittenConsumer,
} from './consumerPlan.js';
import { entryOf } from '../../domain/errors.js';
import { kindSet, type UsageChange } from '../../feed/recordedChanges.js';
import { markChanged } from '../generations.js';
import { allocationViolations } from './violations.js';
import type { NamesUsed } from './ownerNames.js';
import { type ProviderRow, findProviders } from '../provider/providerRows.js';
import {
  inventoryKey,
  readProviderUsage,
  type InventoryKey,
  type InventoryUsage,
} from '../inventory/inventoryUsage.js';
import { type Transaction } from '../transaction.js';

/** A write of whole consumers that may share a transaction with others, of other consumers. */
export interface Claim {
  readonly kind: 'replacement' | 'removal';
  readonly inputs: readonly ConsumerAllocationsInput[];
  /** New consumers that take over, as it is, what another one of them has: the other one by the new one. */
  readonly takingOver: ReadonlyMap<string, string>;
  /** Throws the rejection of what is wrong whatever is stored of consumers and providers. */
  check(names: NamesUsed): void;
  /** Throws the rejection of consumers that are not as the caller expects. */
  validate(plan: ConsumerPlan): void;
}

/** What one claim comes to: the consumers that it leaves, or why it is rejected. */
export type Outcome = { readonly written: readonly WrittenConsumer[] } | { readonly rejection: unknown };

/**
 * Validates claims in order, each in the state after the accepted ones before it, and writes the accepted ones
 * together, in about as many statements as one alone. Each accepted claim bumps the providers that it changes
 * (decision D5).
 */
export async function writeClaims(tx: Transaction, claims: readonly Claim[]): Promise<Outcome[]> {
  const inputs = claims.flatMap((claim) => claim.inputs);
  const [records, { providers: found, usage }] = await Promise.all([
    readConsumerRecords(tx, inputs),
    readProviderUsage(tx, {
      uuids: [...new Set(providersNamed(inputs))],
      consumers: inputs.map(({ consumer }) => consumer),
      classes: [...classesNamed(inputs)],
    }),
  ]);
  const providers = providersByKeys(await withHeld(tx, found, records));
  const results: Planned[] = [];
  for (const claim of claims) results.push(await plannedClaim(tx, claim, { records, providers, usage }));
  const accepted = results.flatMap(({ plan }) => plan ?? []);
  if (accepted.length > 0) await writeAll(tx, accepted);
  return results.map(({ plan, rejection }) =>
    plan === undefined ? { rejection } : { written: writtenConsumers(plan) },
  );
}

/** The plan of a claim that is accepted, or why it is rejected. */
type Planned =
  | { readonly plan: ConsumerPlan; readonly rejection?: undefined }
  | { readonly plan?: undefined; readonly rejection: unknown };

/** What claims are validated in, kept up with those that have been accepted. */
interface Found {
  readonly records: ConsumerRecords;
  readonly providers: ProvidersByKeys;
  readonly usage: InventoryUsage;
}

async function plannedClaim(
  tx: Transaction,
  claim: Claim,
  { records, providers, usage }: Found,
): Promise<Planned> {
  const { inputs } = claim;
  try {
    await tx.pause(inputs);
    claim.check(records.names);
    await tx.pause(inputs);
    const plan = planConsumers(inputs, records, providers, new Set(claim.takingOver.values()));
    claim.validate(plan);
    await tx.pause(inputs);
    const [violation] = allocationViolations(
      plan.wanted,
      plan.named,
      usage,
      labelsOf(plan),
      claim.takingOver,
    );
    if (violation !== undefined) throw violation.rejection();
    applyChange(usage, plan.change);
    return { plan };
  } catch (error) {
    if (entryOf(error) === null) throw error;
    return { rejection: error };
  }
}

/** These providers, and those that the consumers had something of when they were read, and no longer have. */
async function withHeld(
  tx: Transaction,
  providers: ReadonlyMap<string, ProviderRow>,
  { named }: ConsumerRecords,
): Promise<ReadonlyMap<string, ProviderRow>> {
  const known = new Set(Array.from(providers.values(), ({ id }) => id));
  const others = providersHeld(named).filter((id) => !known.has(id));
  return new Map([...(await findProviders(tx, [], others)), ...providers]);
}

/** Keeps the usage up with what is about to be written. */
function applyChange({ used }: InventoryUsage, { removed, added }: AllocationChange): void {
  const add = (key: InventoryKey, amount: number): void => {
    const before = used.get(inventoryKey(key));
    if (before !== undefined) used.set(inventoryKey(key), before + amount);
  };
  for (const row of removed) add(row, -row.used);
  for (const row of added) add(row, row.used);
}

async function writeAll(tx: Transaction, plans: readonly ConsumerPlan[]): Promise<void> {
  const times = new Map<ProviderRow, number>();
  for (const plan of plans) {
    for (const provider of providersChanged(plan)) times.set(provider, (times.get(provider) ?? 0) + 1);
  }
  const plan = joined(plans);
  if (times.size > 0) {
    markChanged(tx, [...times.keys()], kindSet('USAGE'), times);
    tx.recorded.usage = usageChanges(times, plan.change);
  }
  await tx.pause(plan.inputs);
  await writeConsumers(tx, plan);
}

/** Of each provider the generation that it gets and how much more is in use of it. */
function usageChanges(
  times: ReadonlyMap<ProviderRow, number>,
  { removed, added }: AllocationChange,
): Map<number, UsageChange> {
  const amounts = new Map<number, Map<number, number>>();
  for (const { id } of times.keys()) amounts.set(id, new Map());
  const add = ({ providerId, classId }: AllocationRow, amount: number): void => {
    const ofProvider = amounts.get(providerId);
    ofProvider?.set(classId, (ofProvider.get(classId) ?? 0) + amount);
  };
  for (const row of removed) add(row, -row.used);
  for (const row of added) add(row, row.used);
  return new Map(
    Array.from(times, ([{ id, generation }, steps]) => [
      id,
      { id, generation: generation + steps, steps, amounts: [...amounts.get(id)!] },
    ]),
  );
}

function joined(plans: readonly ConsumerPlan[]): ConsumerPlan {
  return {
    ...plans[0],
    inputs: plans.flatMap(({ inputs }) => inputs),
    named: plans.flatMap(({ named }) => named),
    wanted: plans.flatMap(({ wanted }) => wanted),
    handingOver: new Set(plans.flatMap(({ handingOver }) => [...handingOver])),
    change: {
      removed: plans.flatMap(({ change }) => change.removed),
      added: plans.flatMap(({ change }) => change.added),
    },
  };
}
