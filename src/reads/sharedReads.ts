import type { Database } from '../database/database.js';
import {
  readAggregates,
  readInventories,
  readTraits,
  type AggregateRow,
  type InventoryRow,
  type TraitRow,
} from './provider/details.js';
import { PROVIDER_COLUMNS, type ProviderRow } from './provider/providerSource.js';
import { SharedRead } from './sharedRead.js';

/** The small reads that nearly every operation makes, one of each for all operations of the process. */
export interface SharedReads {
  readonly providersById: SharedRead<number, ProviderRow>;
  readonly providersByUuid: SharedRead<string, ProviderRow>;
  readonly providersByName: SharedRead<string | null, ProviderRow>;
  /** By the id of the root. */
  readonly trees: SharedRead<number | null, ProviderRow>;
  readonly inventories: SharedRead<number, InventoryRow>;
  readonly traits: SharedRead<number, TraitRow>;
  readonly aggregates: SharedRead<number, AggregateRow>;
}

export function createSharedReads(database: Database): SharedReads {
  /** SQL and not Prisma, because every look-up passes here (ADR 1). */
  const providers = <Key>(column: string, keyOf: (row: ProviderRow) => Key): SharedRead<Key, ProviderRow> =>
    new SharedRead(
      (keys) =>
        database.pool.query<ProviderRow[]>(
          `SELECT ${PROVIDER_COLUMNS} FROM resource_providers p WHERE p.${column} IN (?)`,
          [keys],
        ),
      keyOf,
    );
  const owner = ({ providerId }: { readonly providerId: number }): number => providerId;
  return {
    providersById: providers('id', ({ id }) => id),
    providersByUuid: providers('uuid', ({ uuid }) => uuid),
    providersByName: providers('name', ({ name }) => name),
    trees: providers('root_provider_id', ({ rootId }) => rootId),
    inventories: new SharedRead((ids) => readInventories(database, ids), owner),
    traits: new SharedRead((ids) => readTraits(database, ids), owner),
    aggregates: new SharedRead((ids) => readAggregates(database, ids), owner),
  };
}
