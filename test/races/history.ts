import type { Database } from '../../src/store/database/database.js';

/** One change of one row, in the order in which the database made it. Columns that do not apply are null. */
export interface HistoryRow {
  readonly id: number;
  /** The database connection that made the change. */
  readonly connection: number;
  readonly what: 'allocation' | 'inventory' | 'consumer' | 'provider';
  /** 1: the row now has these values. 0: the row is deleted. */
  readonly present: 0 | 1;
  /**
   * The generation of the provider, or of the consumer itself, as set by the transaction so far.
   */
  readonly generation: number | null;
  readonly providerId: number | null;
  readonly classId: number | null;
  readonly consumer: string | null;
  /** The id of the allocation's row. */
  readonly rowId: number | null;
  /** The amount of an allocation, the total of an inventory, or the former generation of a provider. */
  readonly amount: number | null;
  readonly reserved: number | null;
  readonly minUnit: number | null;
  readonly maxUnit: number | null;
  readonly stepSize: number | null;
  readonly ratio: number | null;
  /** The project of a consumer. */
  readonly project: string | null;
}

const TABLE = `CREATE TABLE race_history (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, connection BIGINT UNSIGNED NOT NULL,
  what ENUM('allocation', 'inventory', 'consumer', 'provider') NOT NULL, present TINYINT NOT NULL, generation INT,
  provider_id INT, class_id INT, consumer VARCHAR(36), row_id INT, amount INT, reserved INT,
  min_unit INT, max_unit INT, step_size INT, ratio DOUBLE, project VARCHAR(255))`;

type Owned = Exclude<HistoryRow['what'], 'provider'>;

const COLUMNS: Record<Owned, string> = {
  allocation: 'provider_id, generation, class_id, consumer, row_id, amount',
  inventory: 'provider_id, generation, class_id, amount, reserved, min_unit, max_unit, step_size, ratio',
  consumer: 'consumer, generation, project',
};

const generationOf = (row: string): string =>
  `(SELECT generation FROM resource_providers WHERE id = ${row}.resource_provider_id)`;

const VALUES: Record<Owned, (row: string) => string> = {
  allocation: (row) =>
    `${row}.resource_provider_id, ${generationOf(row)}, ${row}.resource_class_id, ${row}.consumer_id, ${row}.id, ${row}.used`,
  inventory: (row) =>
    `${row}.resource_provider_id, ${generationOf(row)}, ${row}.resource_class_id, ${row}.total, ${row}.reserved,
     ${row}.min_unit, ${row}.max_unit, ${row}.step_size, ${row}.allocation_ratio + 0e0`,
  consumer: (row) =>
    `${row}.uuid, ${row}.generation, (SELECT external_id FROM projects WHERE id = ${row}.project_id)`,
};

/**
 * Lets the database record every change of an allocation, an inventory or a consumer, and every update of a provider, in
 * the same transaction. The ledger updates a provider before it writes the provider's other rows, even if its generation
 * stays. Therefore all changes of one commit to a provider follow the update of the provider, and no other commit comes
 * between them. The ledger writes a consumer's row before its allocations.
 */
export async function recordHistory({ pool }: Database): Promise<void> {
  await pool.query(TABLE);
  await pool.query(
    `CREATE TRIGGER history_provider AFTER UPDATE ON resource_providers FOR EACH ROW
     INSERT INTO race_history (connection, what, present, provider_id, generation, amount)
     VALUES (CONNECTION_ID(), 'provider', 1, NEW.id, NEW.generation, OLD.generation)`,
  );
  for (const what of ['allocation', 'inventory', 'consumer'] as const) {
    const table = what === 'inventory' ? 'inventories' : `${what}s`;
    const record = (present: 0 | 1, row: string): string =>
      `INSERT INTO race_history (connection, what, present, ${COLUMNS[what]})
       VALUES (CONNECTION_ID(), '${what}', ${present}, ${VALUES[what](row)})`;
    const updated =
      what === 'allocation' ? `BEGIN ${record(0, 'OLD')}; ${record(1, 'NEW')}; END` : record(1, 'NEW');
    for (const [event, body] of [
      ['INSERT', record(1, 'NEW')],
      ['UPDATE', updated],
      ['DELETE', record(0, 'OLD')],
    ]) {
      await pool.query(
        `CREATE TRIGGER history_${what}_${event} AFTER ${event} ON ${table} FOR EACH ROW ${body}`,
      );
    }
  }
}

export function readHistory({ pool }: Database): Promise<HistoryRow[]> {
  return pool.query<HistoryRow[]>(
    `SELECT id, connection, what, present, generation, provider_id AS providerId, class_id AS classId, consumer,
            row_id AS rowId, amount, reserved, min_unit AS minUnit, max_unit AS maxUnit, step_size AS stepSize, ratio, project
     FROM race_history ORDER BY id`,
  );
}
