import type { Database } from '../../database/database.js';
import { connectionOf, type PageRequest, type ProviderConnection } from '../paging/paging.js';
import {
  compileFilter,
  type CompiledFilter,
  type ProviderFilter,
} from '../../schema/provider/providerFilter.js';
import { PROVIDER_COLUMNS, providerOf, type ProviderRow, type ProviderSource } from './providerSource.js';
import { allOf, between, joined, sql, type Sql } from '../sql.js';

/** One page of the providers that meet a filter (rules 49-56), by name. */
export async function listProviders(
  database: Database,
  filter: ProviderFilter,
  page: PageRequest,
): Promise<ProviderConnection> {
  const compiled = await compileFilter(database, filter);
  const found = await readPage(database, compiled, page);
  return connectionOf(page, found, () => countProviders(database, compiled));
}

/**
 * Reads on until the page and one more are full, or nothing is left: SQL may give a few rows that the exact
 * arithmetic then drops.
 */
async function readPage(
  database: Database,
  filter: CompiledFilter,
  { size, backwards, ...bounds }: PageRequest,
): Promise<ProviderSource[]> {
  const direction = backwards ? 'DESC' : 'ASC';
  const found: ProviderSource[] = [];
  let { after, before } = bounds;
  for (;;) {
    const wanted = size + 1 - found.length;
    const rows = await readRows(
      database,
      filter,
      [...filter.needs.map((need) => need.mayBeMet), ...between(after, before)],
      sql(`ORDER BY p.name ${direction} LIMIT ?`, wanted),
    );
    found.push(...rows.filter((row) => meets(filter, row)).map(providerOf));
    if (found.length > size || rows.length < wanted) return found;
    const last = rows[rows.length - 1].name ?? '';
    if (backwards) before = last;
    else after = last;
  }
}

/** Counts in SQL where that is certain, and looks at the few rows where it is not. */
async function countProviders(database: Database, filter: CompiledFilter): Promise<number> {
  const surely = allOf(filter.needs.map((need) => need.isSurelyMet));
  const count = select(sql('COUNT(*) AS providers'), filter, [surely]);
  const [{ providers }] = await database.pool.query<{ providers: number }[]>(count.text, [...count.values]);
  if (filter.needs.length === 0) return providers;
  const unsure = { ...surely, text: `NOT (${surely.text})` };
  const rest = await readRows(database, filter, [...filter.needs.map((need) => need.mayBeMet), unsure]);
  return providers + rest.filter((row) => meets(filter, row)).length;
}

function readRows(
  database: Database,
  filter: CompiledFilter,
  conditions: readonly Sql[],
  order = sql(''),
): Promise<(ProviderRow & Record<string, unknown>)[]> {
  const columns = joined([sql(PROVIDER_COLUMNS), ...filter.needs.map((need) => need.columns)], ', ');
  const { text, values } = joined([select(columns, filter, conditions), order], ' ');
  return database.pool.query(text, [...values]);
}

function select(columns: Sql, filter: CompiledFilter, conditions: readonly Sql[]): Sql {
  const where = allOf([...filter.conditions, ...conditions]);
  return joined(
    [
      sql('SELECT'),
      columns,
      sql('FROM resource_providers p'),
      ...filter.needs.map((need) => need.join),
      sql('WHERE'),
      where,
    ],
    ' ',
  );
}

function meets({ needs }: CompiledFilter, row: Readonly<Record<string, unknown>>): boolean {
  return needs.every((need) => need.isMet(row));
}
