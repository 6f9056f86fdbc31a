import type { Connection } from 'mariadb';
import { findDifferences } from '../adoption/differences.js';
import { EXPECTED_TABLES, HISTORY, HISTORY_TABLE, OWN_TABLES } from '../adoption/placementTables.js';
import { readStoredTables, type StoredTable } from '../adoption/storedTables.js';
import { LOCK_TABLE } from '../cluster/migrationLock.js';
import { ALEMBIC_TABLE } from '../migrator.js';
import { ok, problem, warning, type Finding } from './finding.js';

const CHECK = 'tables';

/** How the tables of a migrated database differ from what the migrations make. */
export async function checkTables(connection: Connection): Promise<Finding[]> {
  const stored = await readStoredTables(connection);
  const others = new Set([LOCK_TABLE, ALEMBIC_TABLE]);
  const expected = { ...EXPECTED_TABLES, ...OWN_TABLES, [HISTORY_TABLE]: HISTORY };
  const { all } = findDifferences(stored, others, { expected });
  // what is harmless and cannot be changed by a statement is as somebody wants it
  const told = all.filter(({ isHarmless, repair }) => !isHarmless || repair !== undefined);
  const differences = told.map(({ isHarmless, line, repair }) =>
    (isHarmless ? warning : problem)(
      CHECK,
      line,
      repair === undefined
        ? { change: 'restore a backup into an empty database, or undo what has changed it' }
        : { statements: [repair] },
    ),
  );
  // those of OpenStack Placement are as it has made them
  const collations = stored.has(ALEMBIC_TABLE) ? [] : findCollations(stored);
  const findings = [...differences, ...collations];
  if (findings.length > 0) return findings;
  const [{ collation }] = await connection.query<{ collation: string }[]>(
    `SELECT DEFAULT_COLLATION_NAME AS collation FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = DATABASE()`,
  );
  const harmless = all.map(({ line }) => `; ${line}`).join('');
  return [
    ok(CHECK, `are as the migrations make them; the database's own collation is ${collation}${harmless}`),
  ];
}

const COLLATION = 'utf8mb4_bin';

/** Tables whose names are not compared byte by byte. */
function findCollations(stored: ReadonlyMap<string, StoredTable>): Finding[] {
  return Object.keys(EXPECTED_TABLES).flatMap((table) => {
    const columns = stored.get(table)?.columns ?? [];
    const other = columns.find(({ collation }) => collation !== null && collation !== COLLATION);
    if (other === undefined) return [];
    return [
      warning(
        'collation',
        `${table}.${other.name} is of ${other.collation}, not ${COLLATION}: names may be taken for the same, or refused`,
        {
          statements: [`ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${COLLATION}`],
        },
      ),
    ];
  });
}
