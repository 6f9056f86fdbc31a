import { firstDuplicate } from '../../domain/duplicates.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { columns, insertion, read, select, type Column } from '../../database/statements.js';
import { batches } from '../batches.js';
import { checkGeneration, writeChanged } from '../generations.js';
import { linkChange, storedLinks, writeLinks, type LinkChange } from './links.js';
import { requireProvider, type ProviderVersion } from './providerRows.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';

/**
 * Replaces the set of aggregates that the provider itself is in (rule 79). An aggregate is only a UUID: it comes
 * into being when it is first named here, and stays (78).
 *
 * Rejections: INVALID_INPUT (one given twice), NOT_FOUND, PROVIDER_GENERATION_CONFLICT. Bumps the generation if the
 * set changes.
 */
export async function setAggregates(
  ledger: Ledger,
  input: ProviderVersion & { readonly aggregates: readonly string[] },
): Promise<{ uuid: string }> {
  checkAggregates(input.aggregates, ['aggregates']);
  await inTransaction(ledger, async (tx) => {
    const provider = await requireProvider(tx, input.resourceProvider);
    checkGeneration(provider, input.generation);
    const ids = await aggregateIds(tx, input.aggregates);
    const wanted = [...ids.values()].map((targetId) => ({ providerId: provider.id, targetId }));
    const change = linkChange(await storedLinks(tx, 'resource_provider_aggregates', [provider]), wanted);
    await writeChanged(tx, provider, change, () => writeAggregates(tx, change, ids));
  });
  return { uuid: input.resourceProvider };
}

/** INVALID_INPUT for the first that was given before (decision D7). */
export function checkAggregates(uuids: readonly string[], path: readonly string[]): void {
  const repeated = firstDuplicate(uuids);
  if (repeated < 0) return;
  throw new InvalidInput([...path, String(repeated)], `aggregate ${uuids[repeated]} is given twice`);
}

/** The ids of these aggregates; one that does not exist yet has a number below 0 until it is written. */
export async function aggregateIds(tx: Transaction, uuids: readonly string[]): Promise<Map<string, number>> {
  const ids = await findAggregates(tx, uuids);
  let missing = 0;
  for (const uuid of uuids) if (!ids.has(uuid)) ids.set(uuid, --missing);
  return ids;
}

const INSERT = insertion('placement_aggregates', ['uuid', 'created_at']);

/** Writes a change of links to aggregates, and before them those of the aggregates that have no id yet. */
export async function writeAggregates(
  tx: Transaction,
  change: LinkChange,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const missing = [...ids].flatMap(([uuid, id]) => (id < 0 ? [uuid] : [])).sort();
  for (const uuids of batches(missing)) {
    // if a concurrent writer creates one of them first, the duplicate key is a conflict
    await tx.query(...INSERT(uuids.map((uuid) => [uuid, tx.now])));
  }
  const created = await findAggregates(tx, missing);
  const realIds = new Map(missing.map((uuid) => [ids.get(uuid), created.get(uuid)]));
  const added = change.added.map((link) => ({
    ...link,
    targetId: realIds.get(link.targetId) ?? link.targetId,
  }));
  await writeLinks(tx, 'resource_provider_aggregates', { removed: change.removed, added });
}

const a = columns('placement_aggregates');
const AGGREGATES = select(
  { id: a.id, uuid: a.uuid as Column<string> },
  `FROM placement_aggregates WHERE ${a.uuid} IN (?)`,
);

async function findAggregates(tx: Transaction, uuids: readonly string[]): Promise<Map<string, number>> {
  if (uuids.length === 0) return new Map();
  return new Map((await read(tx, AGGREGATES, [uuids])).map(({ id, uuid }) => [uuid, id]));
}
