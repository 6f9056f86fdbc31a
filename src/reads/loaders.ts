import type { ReadableDatabase } from '../database/database.js';
import { consumerCounts } from './consumer/consumerCounts.js';
import { ConsumerLoader } from './consumer/consumerLoader.js';
import { allocationsOfProviders, consumersOfTrees } from './consumer/ownedLists.js';
import { usagesOfProjects } from './consumer/projects.js';
import { PageLoader } from './paging/pageLoader.js';
import { DetailLoader } from './provider/detailLoader.js';
import { providersInAggregate, providersWithTrait } from './provider/members.js';
import { ProviderLoader } from './provider/providerLoader.js';
import type { Operation } from '../runtime/operation.js';
import type { SharedReads } from './sharedReads.js';

export type Loaders = ReturnType<typeof createLoaders>;

/** What one operation reads through, so that equal and simultaneous reads cost one statement. */
export function createLoaders(database: ReadableDatabase, reads: SharedReads, operation: Operation) {
  const { pool } = database;
  const providers = new ProviderLoader(pool, reads, operation);
  return {
    providers,
    inventories: new DetailLoader(providers, (ids) => reads.inventories.of(ids)),
    traits: new DetailLoader(providers, (ids) => reads.traits.of(ids)),
    aggregates: new DetailLoader(providers, (ids) => reads.aggregates.of(ids)),
    providersWithTrait: new PageLoader(providersWithTrait(pool)),
    providersInAggregate: new PageLoader(providersInAggregate(pool)),
    consumers: new ConsumerLoader(pool),
    allocationsOfProviders: new PageLoader(allocationsOfProviders(pool)),
    consumersOfTrees: new PageLoader(consumersOfTrees(pool)),
    consumerCountOfType: consumerCounts(pool, 'type'),
    consumerCountOfProject: consumerCounts(pool, 'project'),
    usagesOfProjects: usagesOfProjects(database),
  };
}
