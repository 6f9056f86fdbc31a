import type DataLoader from 'dataloader';
import type { Database } from '../database/database.js';
import { consumerCounts } from './consumer/consumerCounts.js';
import { ConsumerLoader } from './consumer/consumerLoader.js';
import { DetailLoader } from './provider/detailLoader.js';
import type { AggregateRow, InventoryRow, TraitRow } from './provider/details.js';
import { aggregateMembers, traitMembers, type MemberLoader } from './provider/memberLoader.js';
import {
  allocationsOfProviders,
  consumersOfTrees,
  type ConsumerRow,
  type PageLoader,
  type ProviderAllocationRow,
} from './paging/pageLoader.js';
import { usagesOfProjects, type ProjectUsage } from './consumer/projectLoader.js';
import { ProviderLoader } from './provider/providerLoader.js';
import type { SharedReads } from './sharedReads.js';

/** What one operation reads through, so that equal and simultaneous wishes cost one statement. */
export interface Loaders {
  readonly providers: ProviderLoader;
  readonly inventories: DetailLoader<InventoryRow>;
  readonly traits: DetailLoader<TraitRow>;
  readonly aggregates: DetailLoader<AggregateRow>;
  /** The providers that have a trait, by the trait's name. */
  readonly providersWithTrait: MemberLoader;
  /** The providers directly in an aggregate, by its uuid. */
  readonly providersInAggregate: MemberLoader;
  readonly consumers: ConsumerLoader;
  /** The allocations of a provider, by its id. */
  readonly allocationsOfProviders: PageLoader<ProviderAllocationRow>;
  /** The consumers with allocations in a tree, by the id of its root. */
  readonly consumersOfTrees: PageLoader<ConsumerRow>;
  /** How many consumers a type has, and a project, by its id. */
  readonly consumerCountOfType: DataLoader<number, number>;
  readonly consumerCountOfProject: DataLoader<number, number>;
  /** What a project uses, by its id. */
  readonly usagesOfProjects: DataLoader<number, readonly ProjectUsage[]>;
}

export function createLoaders(database: Database, reads: SharedReads): Loaders {
  const providers = new ProviderLoader(database, reads);
  return {
    providers,
    inventories: new DetailLoader(providers, (ids) => reads.inventories.of(ids)),
    traits: new DetailLoader(providers, (ids) => reads.traits.of(ids)),
    aggregates: new DetailLoader(providers, (ids) => reads.aggregates.of(ids)),
    providersWithTrait: traitMembers(database),
    providersInAggregate: aggregateMembers(database),
    consumers: new ConsumerLoader(database),
    allocationsOfProviders: allocationsOfProviders(database),
    consumersOfTrees: consumersOfTrees(database),
    consumerCountOfType: consumerCounts(database, 'consumer_type_id'),
    consumerCountOfProject: consumerCounts(database, 'project_id'),
    usagesOfProjects: usagesOfProjects(database),
  };
}
