import type { Connection } from 'mariadb';
import type { SnapshotNames } from './model/fleetSnapshot.js';
import { NameTable } from './model/nameTable.js';

type NameRow = [kind: keyof SnapshotNames, id: number, name: string | null];

/** Every trait, resource class and aggregate, in one statement. */
export async function readNames(connection: Pick<Connection, 'query'>): Promise<SnapshotNames> {
  const rows = await connection.query<NameRow[]>({
    rowsAsArray: true,
    sql: `SELECT 'classes', id, name FROM resource_classes
          UNION ALL SELECT 'traits', id, name FROM traits
          UNION ALL SELECT 'aggregates', id, uuid FROM placement_aggregates`,
  });
  const names = (wanted: keyof SnapshotNames): NameTable =>
    new NameTable(rows.flatMap(([kind, id, name]) => (kind === wanted ? [{ id, name: name ?? '' }] : [])));
  return { classes: names('classes'), traits: names('traits'), aggregates: names('aggregates') };
}
