import type { ProviderFields } from '../../../model/provider.js';
import type { ConsumerEntity } from '../../../model/entities.js';
import { classesNamed, type ConsumerAllocationsInput } from '../../../model/input.js';
import {
  type AllocationChange,
  type AllocationRow,
  inventoryKey,
  rememberRequests,
  type InventoryKey,
  type KnownRequests,
  type InventoryUsage,
} from './allocationRows.js';
import { allocationViolations, readProviderUsage, type Labels } from './usage.js';
import type { Consumption } from './counters.js';
import { forgetRequests, readWithConsumers, type ConsumerRecords } from './consumerRows.js';
import {
  labelsOf,
  planConsumers,
  countedConsumers,
  providerSteps,
  providersHeld,
  providersNamed,
  readProviders,
  writeConsumers,
  writtenConsumers,
  type ConsumerPlan,
  type ProvidersByKeys,
} from './consumerPlan.js';
import { secondsOf } from '../../sql/statements.js';
import { groupBy } from '../../../model/collections.js';
import { codeOf } from '../../../model/errors.js';
import { kindSet, type UsageChange } from '../../../model/recordedChanges.js';
import { markChanged, type Counting } from '../provider/providerRows.js';
import { nameOf, type NamesUsed } from './ownerNames.js';
import { writeWorkload, type NamedWorkload } from './workloadRows.js';
import type { RetryBudget, Transaction } from '../transaction.js';
import { markKept, readQuotaUse, type QuotaUse } from '../../quotas/quotaUse.js';

/** A write of whole consumers. It may share a transaction with claims of other consumers. */
export interface Claim {
  readonly inputs: readonly ConsumerAllocationsInput[];
  /** Maps a new consumer to the named consumer whose allocations it takes over unchanged. */
  readonly takingOver: ReadonlyMap<string, string>;
  /** Defaults to CHANGED. */
  readonly counting?: Counting;
  /** Defaults to ten seconds from the call of the queue. */
  readonly budget?: RetryBudget;
  /**
   * The texts of the requests to remember, by the uuid of a consumer with allocations. Null: its request is too long, so
   * that an older one is removed. The consumer then leaves its workload.
   */
  readonly requests?: ReadonlyMap<string, string | null>;
  /**
   * The uuids of the providers whose allocations the consumers have, if the caller has just read them: the claim then
   * need not wait until no other transaction may write one of them.
   */
  readonly held?: readonly string[];
  /** The named workload of the consumers. */
  readonly workload?: NamedWorkload | null;
  /** Throws the rejection of input that is invalid regardless of stored consumers and providers. */
  check(names: NamesUsed): void;
  /** Throws the rejection of consumers that differ from the caller's expectation. */
  validate(plan: ConsumerPlan): void;
}

/** The outcome of one claim: the remaining consumers after the write, or the rejection. */
export type Outcome = { readonly written: readonly ConsumerEntity[] } | Rejected | Postponed;

interface Rejected {
  readonly rejection: unknown;
}

interface Postponed {
  readonly isPostponed: true;
}

/** Returns whether the claim at a position is written now. Its consumers have allocations of these providers. */
export type Admission = (position: number, providers: readonly string[]) => boolean;

/**
 * Validates claims in order, each in the state after the earlier accepted claims. Writes the
 * accepted claims together, with about as many statements as for a single claim. Each accepted
 * claim counts the generations of providers as it states. Does not write claims that `admits` postpones.
 *
 * @param known requests that are stored
 */
export async function writeClaims(
  tx: Transaction,
  claims: readonly Claim[],
  admits: Admission = () => true,
  known: KnownRequests = new Set(),
): Promise<Outcome[]> {
  const inputs = claims.flatMap((claim) => claim.inputs);
  const named = { uuids: [...new Set(providersNamed(inputs))], classes: [...classesNamed(inputs)] };
  const projects = inputs.map(({ projectId }) => projectId);
  const [records, [{ providers: found, usage, consumption }, quotaUse]] = await readWithConsumers(
    tx,
    inputs,
    (consumers) =>
      Promise.all([readProviderUsage(tx, { ...named, consumers }), tx.quotas && readQuotaUse(tx, projects)]),
  );
  await quotaUse?.readStored(tx, records.stored.values());
  const providers = await readProviders(tx, [], records, found);
  const allocations = groupBy(records.named, ({ consumer }) => consumer);
  const results: (ConsumerPlan | Rejected | Postponed)[] = [];
  for (const [position, claim] of claims.entries()) {
    const named = claim.inputs.flatMap(({ consumer }) => allocations.get(consumer) ?? []);
    const held = providersHeld(named).flatMap((id) => providers.providersById.get(id)?.uuid ?? []);
    if (admits(position, held)) {
      const found = { records: { ...records, named }, providers, usage, quotaUse, consumption };
      results.push(await plannedClaim(tx, claim, found));
    } else results.push({ isPostponed: true });
  }
  const accepted = results.filter((result) => 'change' in result);
  if (accepted.length > 0) await writeAll(tx, accepted, quotaUse);
  const remembered = claims.flatMap(({ requests = [] }, at) =>
    'change' in results[at] ? [...requests] : [],
  );
  const textOf = (uuid: string): string => records.stored.get(uuid)?.text ?? uuid;
  const texts = remembered.flatMap(([uuid, request]): [string, string][] =>
    request === null ? [] : [[textOf(uuid), request]],
  );
  const forgotten = remembered.flatMap(([uuid, request]) =>
    request === null ? (records.stored.get(uuid) ?? []) : [],
  );
  if (texts.length > 0) rememberRequests(tx, new Map(texts), known);
  forgetRequests(tx, forgotten);
  for (const [at, { workload }] of claims.entries()) {
    if (!workload || !('change' in results[at])) continue;
    await writeWorkload(tx, workload, nameOf(records.names, 'projects', workload.projectId).id, textOf);
  }
  const kept = claims.flatMap(({ takingOver }, at) =>
    'change' in results[at] ? [...takingOver.keys()] : [],
  );
  if (kept.length > 0) markKept(tx, kept);
  return results.map((result) => ('change' in result ? { written: writtenConsumers(result) } : result));
}

/** The stored state for validation. `usage` includes the claims that were accepted so far. */
interface ReadState {
  readonly records: ConsumerRecords;
  readonly providers: ProvidersByKeys;
  readonly usage: InventoryUsage;
  readonly consumption: Consumption;
  /** The usage that quotas count, with that of the claims that were accepted so far. Null: there are no quotas. */
  readonly quotaUse: QuotaUse | null;
}

async function plannedClaim(
  tx: Transaction,
  claim: Claim,
  { records, providers, usage, quotaUse, consumption }: ReadState,
): Promise<ConsumerPlan | Rejected> {
  const { inputs, takingOver, counting } = claim;
  try {
    await tx.pause(inputs);
    claim.check(records.names);
    await tx.pause(inputs);
    const handingOver = takingOver.values();
    const plan = planConsumers(inputs, records, providers, { counting, handingOver, consumption });
    claim.validate(plan);
    await tx.pause(inputs);
    const { wanted, named } = plan;
    const labels = labelsOf(plan);
    const isChecked = ({ consumer }: AllocationRow): boolean => !takingOver.has(consumer);
    const [violation] = allocationViolations(wanted, named, usage, labels, consumption, isChecked);
    if (violation !== undefined) throw violation.rejection();
    if (quotaUse !== null) checkQuotas(quotaUse, plan, takingOver, labels);
    applyChange(usage, plan.change, consumption);
    return plan;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return { rejection: error };
  }
}

/** @throws QuotaExceeded */
function checkQuotas(
  use: QuotaUse,
  plan: ConsumerPlan,
  takingOver: Claim['takingOver'],
  labels: Labels,
): void {
  const [before, after] = countedConsumers(plan, use.kept, takingOver);
  const projects = new Map(Array.from(plan.names.projects, ([name, { id }]) => [id, name]));
  const project = (id: number | string): string =>
    typeof id === 'string' ? id : (projects.get(id) ?? String(id));
  use.claim(before, after, { project, class: (id) => labels.class(id) });
}

/** Applies a planned change of allocations to the usage. */
function applyChange(
  { used, implied }: InventoryUsage,
  { removed, added }: AllocationChange,
  consumption: Consumption,
): void {
  const add = (usage: Map<string, number>, key: InventoryKey, amount: number): void => {
    const before = usage.get(inventoryKey(key));
    if (before !== undefined) usage.set(inventoryKey(key), before + amount);
  };
  const apply = (row: AllocationRow, sign: 1 | -1): void => {
    add(used, row, sign * row.used);
    if (!consumption.isEmpty)
      consumption.each(row, (counter, amount) => add(implied, counter, sign * amount));
  };
  for (const row of removed) apply(row, -1);
  for (const row of added) apply(row, 1);
}

async function writeAll(
  tx: Transaction,
  plans: readonly ConsumerPlan[],
  quotaUse: QuotaUse | null,
): Promise<void> {
  const steps = new Map<ProviderFields, number>();
  for (const plan of plans)
    for (const [provider, count] of providerSteps(plan))
      steps.set(provider, (steps.get(provider) ?? 0) + count);
  const plan = joined(plans);
  if (steps.size > 0) {
    markChanged(tx, [...steps.keys()], kindSet('USAGE'), steps);
    tx.recorded.usage = usageChanges(steps, plan.change, secondsOf(tx.now));
  }
  await tx.pause(plan.inputs);
  await writeConsumers(tx, plan, quotaUse);
}

/** Returns the new generation and the change of usage of each provider, by its id. */
function usageChanges(
  stepsOf: ReadonlyMap<ProviderFields, number>,
  { removed, added }: AllocationChange,
  updatedAt: number,
): Map<number, UsageChange> {
  const amounts = new Map<number, Map<number, number>>();
  for (const { id } of stepsOf.keys()) amounts.set(id, new Map());
  const add = ({ providerId, classId }: AllocationRow, amount: number): void => {
    const ofProvider = amounts.get(providerId);
    ofProvider?.set(classId, (ofProvider.get(classId) ?? 0) + amount);
  };
  for (const row of removed) add(row, -row.used);
  for (const row of added) add(row, row.used);
  return new Map(
    Array.from(stepsOf, ([{ id, generation }, steps]) => [
      id,
      { id, generation: generation + steps, steps, updatedAt, amounts: [...amounts.get(id)!] },
    ]),
  );
}

function joined(plans: readonly ConsumerPlan[]): ConsumerPlan {
  return {
    ...plans[0],
    inputs: plans.flatMap(({ inputs }) => inputs),
    named: plans.flatMap(({ named }) => named),
    wanted: plans.flatMap(({ wanted }) => wanted),
    alwaysChanged: new Set(plans.flatMap(({ alwaysChanged }) => [...alwaysChanged])),
    change: {
      removed: plans.flatMap(({ change }) => change.removed),
      added: plans.flatMap(({ change }) => change.added),
    },
  };
}
