import type { Database } from '../../src/store/database/database.js';

/** The names of the ids in the tables. */
export interface Names {
  readonly providers: ReadonlyMap<number, { readonly uuid: string; readonly generation: number }>;
  readonly classes: ReadonlyMap<number, string>;
  /** Every project that was ever written. */
  readonly projects: ReadonlySet<string>;
}

export async function namesIn({ pool }: Database): Promise<Names> {
  const providers = await pool.query<{ id: number; uuid: string; generation: number }[]>(
    'SELECT id, uuid, generation FROM resource_providers',
  );
  const classes = await pool.query<{ id: number; name: string }[]>('SELECT id, name FROM resource_classes');
  const projects = await pool.query<{ name: string }[]>('SELECT external_id AS name FROM projects');
  return {
    providers: new Map(providers.map(({ id, ...provider }) => [id, provider])),
    classes: new Map(classes.map(({ id, name }) => [id, name])),
    projects: new Set(projects.map(({ name }) => name)),
  };
}
