/**
 * What a ResourceProvider resolver starts from. One that was read as a row has its dates; one that stands for a
 * provider in a snapshot brings its parent and root along instead, so that naming them costs no read.
 */
export interface ProviderSource {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** Null for a root. */
  readonly parentId: number | null;
  /** Its own id for a root. */
  readonly rootId: number;
  /** Undefined: not read yet. Null: the row has none. */
  readonly createdAt?: Date | null;
  readonly updatedAt?: Date | null;
  readonly parent?: ProviderSource | null;
  readonly root?: ProviderSource;
}

/** A row of `resource_providers`; some of its columns may be NULL in a database that others wrote. */
export interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string | null;
  readonly generation: number | null;
  readonly parentId: number | null;
  readonly rootId: number | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

/** The columns of a {@link ProviderRow} of the table alias `p`. */
export const PROVIDER_COLUMNS =
  'p.id, p.uuid, p.name, p.generation, p.parent_provider_id AS parentId, p.root_provider_id AS rootId, ' +
  'p.created_at AS createdAt, p.updated_at AS updatedAt';

export function providerOf(row: ProviderRow): ProviderSource {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name ?? '',
    generation: row.generation ?? 0,
    parentId: row.parentId,
    rootId: row.rootId ?? row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
