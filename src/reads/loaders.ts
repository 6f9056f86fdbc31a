import type DataLoader from 'dataloader';
import type { Database } from '../database/database.js';
import { consumerCountsOfProjects, consumerCountsOfTypes } from './consumer/consumerCounts.js';
import { ConsumerLoader } from './consumer/consumerLoader.js';
import type { ConsumerRow } from './consumer/consumerRow.js';
import { allocationsOfProviders, consumersOfTrees, type ProviderAllocation } from './consumer/ownedLists.js';
import { usagesOfProjects, type ProjectUsage } from './consumer/projects.js';
import type { ProviderEntity } from './entities.js';
import { PageLoader } from './paging/pageLoader.js';
import { DetailLoader } from './provider/detailLoader.js';
import type { AggregateRow, InventoryRow, TraitRow } from './provider/details.js';
import { providersInAggregate, providersWithTrait } from './provider/members.js';
import { ProviderLoader } from './provider/providerLoader.js';
import type { SharedReads } from './sharedReads.js';

/** What one operation reads through, so that equal and simultaneous reads cost one statement. */
export interface Loaders {
  readonly providers: ProviderLoader;
  readonly inventories: DetailLoader<InventoryRow>;
  readonly traits: DetailLoader<TraitRow>;
  readonly aggregates: DetailLoader<AggregateRow>;
  /** The providers that have a trait, by the trait's name. */
  readonly providersWithTrait: PageLoader<string, ProviderEntity, string>;
  /** The providers directly in an aggregate, by its uuid. */
  readonly providersInAggregate: PageLoader<string, ProviderEntity, string>;
  readonly consumers: ConsumerLoader;
  /** The allocations of a provider, by its id. */
  readonly allocationsOfProviders: PageLoader<number, ProviderAllocation, number>;
  /** The consumers with allocations in a tree, by the id of its root. */
  readonly consumersOfTrees: PageLoader<number, ConsumerRow, number>;
  /** How many consumers a type has, and a project, by its id. */
  readonly consumerCountOfType: DataLoader<number, number>;
  readonly consumerCountOfProject: DataLoader<number, number>;
  /** What a project uses, by its id. */
  readonly usagesOfProjects: DataLoader<number, readonly ProjectUsage[]>;
}

export function createLoaders(database: Database, reads: SharedReads): Loaders {
  const { pool } = database;
  const providers = new ProviderLoader(pool, reads);
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
    consumerCountOfType: consumerCountsOfTypes(database),
    consumerCountOfProject: consumerCountsOfProjects(database),
    usagesOfProjects: usagesOfProjects(database),
  };
}
