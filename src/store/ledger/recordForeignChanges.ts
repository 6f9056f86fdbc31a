import { sql } from 'kysely';
import { ANY_CHANGE, NEW_WITH_ANYTHING, type Former } from '../../model/recordedChanges.js';
import { list, read, statement, tables } from '../sql/statements.js';
import { lockRows, inTransaction, type Ledger } from './transaction.js';

/** The last states of deleted providers in the feed, in the order of their generations. */
const DELETED = statement(
  tables
    .selectFrom('placement_feed_changes as f')
    .leftJoin('resource_providers as p', 'p.id', 'f.object_id')
    .select(['f.object_id as id', 'f.uuid', 'f.root_id as rootId'])
    .where('f.kind', '=', sql.lit('PROVIDER'))
    .where('f.object_id', 'in', list<number>())
    .where('f.uuid', 'is not', null)
    .where('f.root_id', 'is not', null)
    .where('p.id', 'is', null)
    .orderBy('f.generation')
    .$narrowType<{ uuid: string; rootId: number }>(),
);

/**
 * Records changes by an external program, which does not write the change feed. `known` has the
 * providers in their former state. Locks the rows of the providers until the commit. Otherwise, a
 * later generation could be recorded first.
 */
export async function recordForeignChanges(
  ledger: Ledger,
  ids: readonly number[],
  known: readonly Former<'rootId'>[],
): Promise<void> {
  await inTransaction(ledger, async (tx) => {
    await lockRows(tx, 'resource_providers', ids);
    const before = new Set(known.map(({ id }) => id));
    const others = ids.filter((id) => !before.has(id));
    // this server may have created a provider that another program deleted before a snapshot had it
    const deleted = others.length === 0 ? [] : await read(tx, DELETED, [others]);
    const former = new Map([...deleted, ...known].map((each) => [each.id, each]));
    tx.recorded.addProviders(
      ids.filter((id) => !former.has(id)),
      NEW_WITH_ANYTHING,
    );
    tx.recorded.addLeaving(former.values(), ANY_CHANGE);
  });
}
