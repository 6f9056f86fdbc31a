import { classesNamed, type ConsumerAllocationsInput } from './allocationInput.js';
import type { AllocationChange } from './allocationRows.js';
import { readConsumerRecords, type ConsumerRecords } from './consumerRecords.js';
import {
  consumerWrite,
  labelsOf,
  providersByKeys,
  providersChanged,
  providersHeld,
  providersNamed,
  writeConsumerWrite,
  writtenConsumers,
  type ConsumerWrite,
  type WrittenConsumer,
} from './consumerWrite.js';
import { entryOf } from '../../domain/errors.js';
import { markChanged } from '../generations.js';
import { violationsOf } from './violations.js';
import type { NamesUsed } from './namesUsed.js';
import { findProvidersOf, type ProviderRow } from '../provider/providerRows.js';
import { readProviderStock } from '../inventory/providerInventories.js';
import { shelfKey, type Shelf, type Shelves } from '../inventory/inventoryUsage.js';
import { type Transaction } from '../transaction.js';

/** A write of whole consumers that may share a transaction with others, of other consumers. */
export interface Claim {
  readonly inputs: readonly ConsumerAllocationsInput[];
  /** Throws the refusal of what is wrong whatever is stored of consumers and providers. */
  check(names: NamesUsed): void;
  /** Throws the refusal of consumers that are not as the caller expects. */
  judge(write: ConsumerWrite): void;
}

/** What becomes of one claim: the consumers that it leaves, or why it is refused. */
export type Verdict = { readonly written: readonly WrittenConsumer[] } | { readonly refusal: unknown };

/**
 * Judges claims one after another, each in the state in which the accepted ones before it leave things, and writes the accepted
 * ones together, in about as many statements as one alone. Of a refused one nothing is written. Each accepted one takes the
 * providers that it changes one generation further (decision D5).
 */
export async function writeTogether(tx: Transaction, claims: readonly Claim[]): Promise<Verdict[]> {
  const inputs = claims.flatMap((claim) => claim.inputs);
  const [records, stock] = await Promise.all([
    readConsumerRecords(tx, inputs),
    readProviderStock(tx, {
      uuids: [...new Set(providersNamed(inputs))],
      consumers: inputs.map(({ consumer }) => consumer),
      classes: [...classesNamed(inputs)],
    }),
  ]);
  const { shelves } = stock;
  const providers = providersByKeys(await withHeld(tx, stock.providers, records));
  const refusals = new Map<Claim, unknown>();
  const stands = (claim: Claim, judge: () => void): boolean => {
    const refusal = refusalOf(judge);
    if (refusal !== null) refusals.set(claim, refusal);
    return refusal === null;
  };
  const accepted = new Map<Claim, ConsumerWrite>();
  for (const claim of claims) {
    stands(claim, () => {
      claim.check(records.names);
      const write = consumerWrite(claim.inputs, records, providers);
      claim.judge(write);
      const [violation] = violationsOf(write.wanted, write.named, shelves, labelsOf(write));
      if (violation !== undefined) throw violation.refusal;
      accepted.set(claim, write);
      follow(shelves, write.change);
    });
  }
  if (accepted.size > 0) await writeAll(tx, [...accepted.values()]);
  return claims.map((claim) => {
    const write = accepted.get(claim);
    return write === undefined ? { refusal: refusals.get(claim) } : { written: writtenConsumers(write) };
  });
}

/** These providers, and those that the consumers had something of when they were read, and no longer have. */
async function withHeld(
  tx: Transaction,
  providers: ReadonlyMap<string, ProviderRow>,
  { named }: ConsumerRecords,
): Promise<ReadonlyMap<string, ProviderRow>> {
  const known = new Set(Array.from(providers.values(), ({ id }) => id));
  const others = providersHeld(named).filter((id) => !known.has(id));
  return new Map([...(await findProvidersOf(tx, [], others)), ...providers]);
}

/** The refusal that a judgement ends with; null when there is none. */
function refusalOf(judge: () => void): unknown {
  try {
    judge();
    return null;
  } catch (error) {
    if (entryOf(error) === null) throw error;
    return error;
  }
}

/** Keeps the use of the shelves up with what is about to be written. */
function follow({ used }: Shelves, { removed, added }: AllocationChange): void {
  const add = (shelf: Shelf, amount: number): void => {
    const before = used.get(shelfKey(shelf));
    if (before !== undefined) used.set(shelfKey(shelf), before + amount);
  };
  for (const row of removed) add(row, -row.used);
  for (const row of added) add(row, row.used);
}

async function writeAll(tx: Transaction, writes: readonly ConsumerWrite[]): Promise<void> {
  const now = tx.now;
  const times = new Map<ProviderRow, number>();
  for (const write of writes) {
    for (const provider of providersChanged(write)) times.set(provider, (times.get(provider) ?? 0) + 1);
  }
  if (times.size > 0) markChanged(tx, [...times.keys()], now, times);
  await writeConsumerWrite(tx, joined(writes), now);
}

function joined(writes: readonly ConsumerWrite[]): ConsumerWrite {
  return {
    ...writes[0],
    inputs: writes.flatMap(({ inputs }) => inputs),
    named: writes.flatMap(({ named }) => named),
    wanted: writes.flatMap(({ wanted }) => wanted),
    change: {
      removed: writes.flatMap(({ change }) => change.removed),
      added: writes.flatMap(({ change }) => change.added),
    },
  };
}
