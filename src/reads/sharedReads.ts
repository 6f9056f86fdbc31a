import type { Database } from '../database/database.js';
import { storable } from '../database/storable.js';
import { list, read, statement, type Statement } from '../database/statements.js';
import { readAggregates, readInventories, readTraits } from './provider/details.js';
import { PROVIDERS, type ProviderRow } from './provider/providerRow.js';
import { SharedRead } from './sharedRead.js';

const BY_ID = statement(PROVIDERS.where('p.id', 'in', list<number>()));
const BY_UUID = statement(PROVIDERS.where('p.uuid', 'in', list<string>()));
const BY_NAME = statement(PROVIDERS.where('p.name', 'in', list<string>()));
const BY_ROOT = statement(PROVIDERS.where('p.root_provider_id', 'in', list<number>()));

export type SharedReads = ReturnType<typeof createSharedReads>;

/** Creates the small reads of nearly every operation. All operations of the process share them. */
export function createSharedReads({ pool }: Database) {
  const providers = <Key>(
    one: Statement<ProviderRow>,
    keyOf: (row: ProviderRow) => Key,
  ): SharedRead<Key, ProviderRow> => new SharedRead((keys) => read(pool, one, [keys]), keyOf, one.text);
  const owner = ({ providerId }: { readonly providerId: number }): number => providerId;
  return {
    providersById: providers(BY_ID, ({ id }) => id),
    providersByUuid: providers(BY_UUID, ({ uuid }) => uuid),
    providersByName: new SharedRead<string | null, ProviderRow>(
      async (keys) => {
        const names = await storable(
          pool,
          'resource_providers',
          keys.filter((key) => key !== null),
        );
        return names.size === 0 ? [] : read(pool, BY_NAME, [[...names]]);
      },
      ({ name }) => name,
      BY_NAME.text,
    ),
    /** All providers of trees, by the id of the root. */
    trees: providers(BY_ROOT, ({ rootId }) => rootId),
    inventories: new SharedRead((ids) => readInventories(pool, ids), owner, 'SELECT inventories'),
    traits: new SharedRead((ids) => readTraits(pool, ids), owner, 'SELECT traits'),
    aggregates: new SharedRead((ids) => readAggregates(pool, ids), owner, 'SELECT aggregates'),
  };
}
