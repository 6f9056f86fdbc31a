import { sql } from 'kysely';
import { read, statement, tables, type Reader } from '../database/statements.js';
import type { SnapshotNames } from './model/fleetSnapshot.js';
import { NameTable } from './model/nameTable.js';

const kind = (name: keyof SnapshotNames) => sql.lit<keyof SnapshotNames>(name).as('kind');

const NAMES = statement(
  tables
    .selectFrom('resource_classes')
    .select([kind('classes'), 'id', 'name'])
    .unionAll(tables.selectFrom('traits').select([kind('traits'), 'id', 'name']))
    .unionAll(
      tables
        .selectFrom('placement_aggregates')
        .select((eb) => [kind('aggregates'), 'id', eb.fn.coalesce('uuid', sql.lit('')).as('name')]),
    ),
);

/** Every trait, resource class and aggregate, in one statement. */
export async function readNames(reader: Reader): Promise<SnapshotNames> {
  const rows = await read(reader, NAMES, []);
  const names = (wanted: keyof SnapshotNames): NameTable =>
    new NameTable(rows.filter(({ kind }) => kind === wanted));
  return { classes: names('classes'), traits: names('traits'), aggregates: names('aggregates') };
}
