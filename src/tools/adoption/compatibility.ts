import type { Connection } from 'mariadb';
import { findCatalogConflicts, readCatalog } from '../../store/sql/catalog.js';
import { ALEMBIC_TABLE, PACKAGE } from '../../store/migrations/migrator.js';
import { type Differences, findDifferences } from './differences.js';
import { HISTORY_TABLE, OWN_TABLES, type StoredTable } from '../../store/migrations/tables.js';

/** The result of the check. This program cannot use a database with errors or of an unknown version. */
interface Compatibility extends Pick<Differences, 'errors' | 'notes'> {
  readonly version: PlacementVersion | undefined;
}

/**
 * Checks a database in which OpenStack Placement has recorded its version.
 *
 * @param isOnlyRead whether this program only reads the database
 */
export async function checkCompatibility(
  connection: Connection,
  tables: ReadonlyMap<string, StoredTable>,
  isOnlyRead = false,
): Promise<Compatibility> {
  const rows = await connection.query<{ version_num: string }[]>(`SELECT version_num FROM ${ALEMBIC_TABLE}`);
  const revision = rows.length === 1 ? rows[0].version_num : null;
  const version = VERSIONS.find((each) => each.revision === revision);
  const others = new Set([ALEMBIC_TABLE, HISTORY_TABLE, ...Object.keys(OWN_TABLES)]);
  const { errors, notes } = findDifferences(tables, others, { isOnlyRead });
  const hasClasses = tables.get('resource_classes')?.columns.some(({ name }) => name === 'name') ?? false;
  const conflicts = hasClasses ? await findCatalogConflicts(connection, readCatalog(PACKAGE)) : [];
  return { version, errors: [...versionErrors(revision, version), ...errors, ...conflicts], notes };
}

function versionErrors(revision: string | null, version: PlacementVersion | undefined): string[] {
  if (version === undefined) {
    const found = revision === null ? 'has no single version' : `has the version ${revision}`;
    const known = VERSIONS.map((each) => `${each.revision} (${each.releases})`).join(', ');
    return [`${ALEMBIC_TABLE} ${found}, and this program knows ${known}`];
  }
  if (version.tooOld === null) return [];
  return [`version ${version.revision} (${version.releases}) is too old: ${version.tooOld}`];
}

/** A version of OpenStack Placement's schema, as recorded in `alembic_version`. */
export interface PlacementVersion {
  readonly revision: string;
  readonly releases: string;
  /** The missing parts, as text. Null if nothing is missing. */
  readonly tooOld: string | null;
}

const UPGRADE = 'run `placement-manage db sync` of Xena or later, then try again';

/**
 * All versions, the oldest first. The second and third only check rows, the fourth adds consumer_types with
 * consumers.consumer_type_id, the fifth removes five indexes that unique indexes make redundant.
 */
const VERSIONS: readonly PlacementVersion[] = [
  ['b4ed3a175331', 'Stein', 'providers may lack their root, allocations their consumer'],
  ['611cd6dffd7b', 'between Stein and Train', 'allocations may lack their consumer'],
  ['b5c396305c25', 'Train to Wallaby', 'consumers have no types yet'],
  ['422ece571366', 'Xena to 2023.1 (Antelope)'],
  ['a082b8bb98d0', '2023.2 (Bobcat) and later'],
].map(([revision, releases, lack = '']) => ({
  revision,
  releases,
  tooOld: lack === '' ? null : `${lack}: ${UPGRADE}`,
}));
