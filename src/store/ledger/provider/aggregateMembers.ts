import { sql } from 'kysely';
import { list, read, statement, tables } from '../../sql/statements.js';
import { ensure, InvalidInput } from '../../../model/input.js';
import { CATALOG, kindSet } from '../../../model/recordedChanges.js';
import { AggregateInUse, NotFound } from '../../../model/rejections.js';
import { confirmUnchanged, markChanged, findProviders, required } from './providerRows.js';
import { inTransaction, WriteConflict, type Ledger } from '../transaction.js';
import {
  aggregateIds,
  checkAggregates,
  deleteAggregateRows,
  storedAggregateIds,
  writeAggregates,
} from './aggregates.js';
import { storedLinks } from './links.js';

/** The maximum number of providers, or of aggregates, of one write. */
export const MAX_MEMBERS = 1000;

export interface AggregateMembers {
  readonly aggregate: string;
  /** The providers to add. Those that are members change nothing. */
  readonly add: readonly string[];
  /** The providers to remove. Those that are no members change nothing. */
  readonly remove: readonly string[];
}

/**
 * Adds providers to an aggregate, which is created if it does not exist (rule 78), and removes providers, atomically.
 * Returns the uuids of all named providers.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND (a provider; the aggregate if nothing is added). Bumps each provider whose
 * membership changes (decision D5). Retries after races.
 */
export async function updateAggregateMembers(
  ledger: Ledger,
  { aggregate, add, remove }: AggregateMembers,
): Promise<string[]> {
  const named = [...add, ...remove];
  checkMembers(add, remove);
  await inTransaction(ledger, async (tx) => {
    const ids = await aggregateIds(tx, [aggregate]);
    const [targetId, ...otherIds] = ids.get(aggregate)!;
    if (targetId < 0 && add.length === 0) throw new NotFound('AGGREGATE', aggregate);
    const found = await findProviders(tx, named);
    const providers = named.map((uuid) => required(found, uuid));
    const rows = new Set([targetId, ...otherIds]);
    const stored = await storedLinks(tx, 'resource_provider_aggregates', providers);
    const links = stored.filter((link) => rows.has(link.targetId));
    const members = new Set(links.map(({ providerId }) => providerId));
    const isChanged = (at: number): boolean => members.has(providers[at].id) !== at < add.length;
    const changed = providers.filter((_, at) => isChanged(at));
    if (changed.length === 0) return confirmUnchanged(tx, providers);
    markChanged(tx, changed, kindSet('AGGREGATES'));
    const changedIds = new Set(changed.map(({ id }) => id));
    const removed = links.filter(({ providerId }) => changedIds.has(providerId));
    const joining = changed.filter(({ id }) => !members.has(id));
    const added = joining.map(({ id: providerId }) => ({ providerId, targetId }));
    await writeAggregates(tx, { removed, added }, ids);
  });
  return named;
}

function checkMembers(add: readonly string[], remove: readonly string[]): void {
  const count = add.length + remove.length;
  ensure(count > 0, [], 'name at least one provider to add or to remove');
  ensure(count <= MAX_MEMBERS, [], `${count} providers are named: at most ${MAX_MEMBERS}`);
  const seen = new Set<string>();
  for (const [field, uuids] of Object.entries({ add, remove }))
    for (const [at, uuid] of uuids.entries()) {
      if (seen.has(uuid)) throw new InvalidInput([field, String(at)], `provider ${uuid} is given twice`);
      seen.add(uuid);
    }
}

/** The number of providers that an error names. */
const MAX_NAMED = 10;

const USED = statement(
  tables
    .selectFrom('resource_provider_aggregates')
    .where('aggregate_id', 'in', list<number>())
    .select('aggregate_id as id')
    .distinct(),
);
const MEMBERS = statement(
  tables
    .selectFrom('resource_provider_aggregates as m')
    .innerJoin('resource_providers as p', 'p.id', 'm.resource_provider_id')
    .where('m.aggregate_id', 'in', list<number>())
    .select(['p.id', 'p.uuid'])
    .distinct()
    .orderBy('p.id')
    .limit(sql.lit(MAX_NAMED)),
);

/**
 * Deletes aggregates without providers, with their names: all or none.
 *
 * Rejections: INVALID_INPUT, NOT_FOUND, AGGREGATE_IN_USE. OpenStack Placement does not lock aggregates: a provider that
 * it adds at the same time keeps a dangling link, which the audit finds.
 */
export async function deleteAggregates(ledger: Ledger, uuids: readonly string[]): Promise<string[]> {
  const path = ['aggregates'];
  ensure(uuids.length > 0, path, 'name at least one aggregate');
  ensure(uuids.length <= MAX_MEMBERS, path, `${uuids.length} aggregates are named: at most ${MAX_MEMBERS}`);
  checkAggregates(uuids, path);
  await inTransaction(ledger, async (tx) => {
    const ids = await storedAggregateIds(tx, uuids);
    const missing = uuids.find((uuid) => !ids.has(uuid));
    if (missing !== undefined) throw new NotFound('AGGREGATE', missing);
    tx.recorded.addProviders([CATALOG], kindSet());
    // deletes the rows before the read: a new member also writes the row, so the read misses none
    const rows = [...ids.values()].flat();
    if ((await deleteAggregateRows(tx, rows, uuids)) !== rows.length)
      throw new WriteConflict('an aggregate was deleted concurrently');
    const used = new Set((await read(tx, USED, [rows])).map(({ id }) => id));
    const inUse = uuids.find((uuid) => ids.get(uuid)!.some((id) => used.has(id)));
    if (inUse === undefined) return;
    const members = await read(tx, MEMBERS, [ids.get(inUse)]);
    throw new AggregateInUse(
      inUse,
      members.map(({ uuid }) => uuid),
    );
  });
  return [...uuids];
}
