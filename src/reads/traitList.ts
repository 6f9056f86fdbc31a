import type { Database } from '../database/database.js';
import { byCodePoint } from '../domain/codePointOrder.js';
import { allOf, sql, type Sql } from './sql.js';

export interface TraitFilter {
  readonly nameIn?: readonly string[] | null;
  readonly startsWith?: string | null;
  readonly associated?: boolean | null;
}

/** The names of the traits that meet every condition (rule 69), compared exactly, by name. */
export async function readTraitNames({ pool }: Database, filter: TraitFilter): Promise<string[]> {
  const { nameIn, startsWith } = filter;
  if (nameIn?.length === 0) return [];
  const where = allOf(conditions(filter));
  const rows = await pool.query<{ name: string }[]>(`SELECT t.name FROM traits t WHERE ${where.text}`, [
    ...where.values,
  ]);
  const wanted = nameIn && new Set(nameIn);
  return rows
    .map((row) => row.name)
    .filter((name) => (!wanted || wanted.has(name)) && name.startsWith(startsWith ?? ''))
    .sort(byCodePoint);
}

function conditions({ nameIn, startsWith, associated }: TraitFilter): Sql[] {
  const anyProvider = 'EXISTS (SELECT 1 FROM resource_provider_traits m WHERE m.trait_id = t.id)';
  return [
    ...(nameIn ? [sql('t.name IN (?)', nameIn)] : []),
    ...(startsWith ? [sql(`t.name LIKE ? ESCAPE '!'`, `${startsWith.replace(/[!%_]/g, '!$&')}%`)] : []),
    ...(associated == null ? [] : [sql(associated ? anyProvider : `NOT ${anyProvider}`)]),
  ];
}
