import { insertion, read, statement, tables, value, write } from '../../database/statements.js';
import { DuplicateName, NotFound } from '../errors.js';
import { checkAggregateName } from '../names.js';
import { inTransaction, type Ledger } from '../transaction.js';

const AGGREGATE = statement(
  tables.selectFrom('placement_aggregates').select('id').where('uuid', '=', value<string>()),
);
const NAMES = tables.selectFrom('placement_aggregate_names').select(['aggregate_uuid as uuid', 'name']);
const HOLDER = statement(NAMES.where('name', '=', value<string>()));
const DELETE = statement(
  tables.deleteFrom('placement_aggregate_names').where('aggregate_uuid', '=', value<string>()),
);
const INSERT = insertion('placement_aggregate_names', ['aggregate_uuid', 'name', 'created_at']);

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
    if (name !== null) await tx.query(...INSERT([[uuid, name, tx.now]]));
  });
  return { uuid };
}
