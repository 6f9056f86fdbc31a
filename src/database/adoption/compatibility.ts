import type { Connection } from 'mariadb';
import { findCatalogConflicts, type Catalog } from '../catalog.js';
import { ALEMBIC_TABLE } from '../migrator.js';
import { HISTORY_TABLE } from './placementTables.js';
import { findDifferences, type Differences } from './differences.js';
import { KNOWN_REVISIONS, placementVersion, type PlacementVersion } from './placementVersions.js';
import type { StoredTable } from './storedTables.js';

/** Whether this program can work with a database of OpenStack Placement: not with errors, and not with an unknown version. */
export interface Compatibility extends Differences {
  readonly version: PlacementVersion | undefined;
}

interface Expectations {
  /** The tables that are ours. */
  readonly own: readonly string[];
  readonly catalog: Catalog;
  /** That the program does not write to it. */
  readonly isOnlyRead?: boolean;
}

/** Looks at a database that has OpenStack Placement's record of its version. */
export async function checkCompatibility(
  connection: Connection,
  tables: ReadonlyMap<string, StoredTable>,
  { own, catalog, isOnlyRead }: Expectations,
): Promise<Compatibility> {
  const revision = await readRevision(connection);
  const version = revision === null ? undefined : placementVersion(revision);
  const { errors, notes } = findDifferences(tables, new Set([ALEMBIC_TABLE, HISTORY_TABLE, ...own]), {
    isOnlyRead,
  });
  const hasClasses = tables.get('resource_classes')?.columns.some(({ name }) => name === 'name') ?? false;
  const conflicts = hasClasses ? await findCatalogConflicts(connection, catalog) : [];
  return { version, errors: [...versionErrors(revision, version), ...errors, ...conflicts], notes };
}

/** What OpenStack Placement's own record says. */
async function readRevision(connection: Connection): Promise<string | null> {
  const rows = await connection.query<{ version_num: string }[]>(`SELECT version_num FROM ${ALEMBIC_TABLE}`);
  return rows.length === 1 ? rows[0].version_num : null;
}

function versionErrors(revision: string | null, version: PlacementVersion | undefined): string[] {
  if (version === undefined) {
    const found = revision === null ? 'has no single version' : `has the version ${revision}`;
    return [`${ALEMBIC_TABLE} ${found}, and this program knows ${KNOWN_REVISIONS}`];
  }
  return version.tooOld === null
    ? []
    : [`version ${version.revision} (${version.releases}) is too old: ${version.tooOld}`];
}
