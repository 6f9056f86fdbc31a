import {
  type Column,
  columns,
  insertion,
  read,
  select,
  statement,
  tables,
  value,
  write,
} from '../../database/statements.js';
import { firstDuplicate, InvalidInput } from '../../domain/invalidInput.js';
import { kindSet } from '../../feed/recordedChanges.js';
import { batches } from '../rows.js';
import { DuplicateName, NotFound } from '../errors.js';
import { checkGeneration, writeChanged } from '../generations.js';
import { checkAggregateName } from '../names.js';
import { type Ledger, type Transaction, inTransaction } from '../transaction.js';
import { type LinkChange, linkAddition, linkChange, linkRemoval, storedLinks, writeLinks } from './links.js';
import { type LooseProviderVersion, type ProviderVersion, requireProvider } from './providerRows.js';

/**
 * Replaces the set of aggregates of a provider (rule 79). An aggregate is only a UUID: its first use here creates it
 * (78).
 *
 * Rejections: INVALID_INPUT (a repeated aggregate), NOT_FOUND, PROVIDER_GENERATION_CONFLICT. Bumps the generation if
 * the set changes.
 */
export async function setAggregates(
  ledger: Ledger,
  input: ProviderVersion & { readonly aggregates: readonly string[] },
): Promise<{ uuid: string }> {
  await changeAggregates(ledger, input, aggregateIds, linkChange);
  return { uuid: input.resourceProvider };
}

/** Aggregates to put a provider into or to take it out of. */
interface SomeAggregates {
  readonly resourceProvider: string;
  readonly aggregates: readonly string[];
}

/**
 * Adds a provider to aggregates. Races with other writers are retried here, so no generation is needed.
 *
 * Rejections: INVALID_INPUT (a repeated aggregate), NOT_FOUND. Bumps the generation if the set changes.
 */
export async function addToAggregates(ledger: Ledger, input: SomeAggregates): Promise<{ uuid: string }> {
  await changeAggregates(ledger, input, aggregateIds, linkAddition);
  return { uuid: input.resourceProvider };
}

/** Removes a provider from aggregates and creates none. Otherwise as {@link addToAggregates}. */
export async function removeFromAggregates(ledger: Ledger, input: SomeAggregates): Promise<{ uuid: string }> {
  await changeAggregates(ledger, input, findAggregates, linkRemoval);
  return { uuid: input.resourceProvider };
}

async function changeAggregates(
  ledger: Ledger,
  { resourceProvider, generation, aggregates }: SomeAggregates & LooseProviderVersion,
  idsOf: typeof aggregateIds,
  changeOf: typeof linkChange,
): Promise<void> {
  checkAggregates(aggregates, ['aggregates']);
  await inTransaction(ledger, async (tx) => {
    const provider = await requireProvider(tx, resourceProvider);
    checkGeneration(provider, generation);
    const ids = await idsOf(tx, aggregates);
    const given = [...ids.values()].map((targetId) => ({ providerId: provider.id, targetId }));
    const change = changeOf(await storedLinks(tx, 'resource_provider_aggregates', [provider]), given);
    await writeChanged(tx, provider, kindSet('AGGREGATES'), change, () => writeAggregates(tx, change, ids));
  });
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

const AGGREGATE = statement(
  tables.selectFrom('placement_aggregates').select('id').where('uuid', '=', value<string>()),
);
const NAMES = tables.selectFrom('placement_aggregate_names').select(['aggregate_uuid as uuid', 'name']);
const HOLDER = statement(NAMES.where('name', '=', value<string>()));
const DELETE = statement(
  tables.deleteFrom('placement_aggregate_names').where('aggregate_uuid', '=', value<string>()),
);
const INSERT_NAME = insertion('placement_aggregate_names', ['aggregate_uuid', 'name', 'created_at']);

/**
 * Gives an aggregate a name, another one, or none. No provider changes by it.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, DUPLICATE_NAME.
 */
export async function nameAggregate(
  ledger: Ledger,
  { aggregate: uuid, name = null }: { readonly aggregate: string; readonly name?: string | null },
): Promise<{ uuid: string }> {
  if (name !== null) checkAggregateName(name);
  await inTransaction(ledger, async (tx) => {
    if ((await read(tx, AGGREGATE, [uuid])).length === 0) throw new NotFound('AGGREGATE', uuid);
    const [holder] = name === null ? [] : await read(tx, HOLDER, [name]);
    if (holder?.uuid === uuid) return;
    if (holder !== undefined) throw new DuplicateName(name!, holder, 'aggregate');
    await write(tx, DELETE, [uuid]);
    // if a concurrent writer takes the name first, the duplicate key is a conflict
    if (name !== null) await tx.query(...INSERT_NAME([[uuid, name, tx.now]]));
  });
  return { uuid };
}
