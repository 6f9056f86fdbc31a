import { EXPECTED_TABLES } from '../adoption/placementTables.js';

/** A table of OpenStack Placement, all of whose columns are copied. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** What is selected to get every digit of each column. */
  readonly values: readonly string[];
  /** One column of the primary key, or two. */
  readonly key: readonly string[];
  /** Whether ids are given by the database. */
  readonly isCounted: boolean;
}

/** In the order of copying; it means nothing, because foreign keys are not checked meanwhile. */
export const COPIED_TABLES: readonly CopiedTable[] = Object.entries(EXPECTED_TABLES).map(
  ([name, { columns, primaryKey }]) => ({
    name,
    columns: Object.keys(columns),
    values: Object.entries(columns).map(([column, { type }]) =>
      type === 'float' ? `${column} + 0e0` : column,
    ),
    key: primaryKey,
    isCounted: Object.values(columns).some(({ isCounted }) => isCounted),
  }),
);

/** The tables that have rows in an empty database, too: the standard traits and resource classes. */
export const CATALOG_TABLES = ['traits', 'resource_classes'] as const;
