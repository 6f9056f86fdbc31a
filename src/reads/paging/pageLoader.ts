import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';
import { CONSUMER_COLUMNS, CONSUMER_OWNERS, type ConsumerSource } from '../consumer/consumerSource.js';
import { groupBy } from '../groups.js';
import { idConnection, type IdPage } from './idPaging.js';
import type { Connection } from './paging.js';

/** How to select what belongs to owners; an object may be joined several times. */
interface OwnedList {
  /** The columns of an object besides its id. */
  readonly columns: string;
  readonly from: string;
  /** The columns that have the id of the owner, and of the object. */
  readonly owner: string;
  readonly id: string;
}

/** What belongs to owners, page by page in the order of ids: equal pages of many owners are one statement. */
export class PageLoader<T extends { readonly id: number }> {
  private readonly pages = new Map<string, DataLoader<number, readonly T[]>>();
  private readonly counts: DataLoader<number, number>;

  constructor(
    private readonly database: Database,
    private readonly list: OwnedList,
  ) {
    this.counts = new DataLoader((owners) => this.count(owners));
  }

  async page(owner: number, page: IdPage): Promise<Connection<T>> {
    const key = JSON.stringify(page);
    const loader =
      this.pages.get(key) ?? new DataLoader((owners: readonly number[]) => this.read(owners, page));
    this.pages.set(key, loader);
    return idConnection(page, await loader.load(owner), () => this.counts.load(owner));
  }

  private async read(owners: readonly number[], { size, after }: IdPage): Promise<T[][]> {
    const { columns, from, owner, id } = this.list;
    const rows = await this.database.pool.query<(T & { owner: number })[]>(
      `SELECT DISTINCT * FROM (
         SELECT ${owner} AS owner, ${id} AS id, ${columns},
                DENSE_RANK() OVER (PARTITION BY ${owner} ORDER BY ${id}) AS place
           FROM ${from} WHERE ${owner} IN (?) AND ${id} > ?) ranked
       WHERE place <= ? ORDER BY place`,
      [owners, after, size + 1],
    );
    const byOwner = groupBy(rows, (row) => row.owner);
    return owners.map((each) => byOwner.get(each) ?? []);
  }

  private async count(owners: readonly number[]): Promise<number[]> {
    const { from, owner, id } = this.list;
    const rows = await this.database.pool.query<{ owner: number; members: number }[]>(
      `SELECT ${owner} AS owner, COUNT(DISTINCT ${id}) AS members FROM ${from} WHERE ${owner} IN (?) GROUP BY ${owner}`,
      [owners],
    );
    const byOwner = new Map(rows.map((row) => [row.owner, row.members]));
    return owners.map((each) => byOwner.get(each) ?? 0);
  }
}

/** An allocation of a provider, with its consumer. */
export interface ProviderAllocationRow extends ConsumerSource {
  readonly id: number;
  readonly resourceClass: string;
  readonly used: number;
}

/** The allocations of providers, by the provider's id. Those whose consumer or class is missing are left out. */
export function allocationsOfProviders(database: Database): PageLoader<ProviderAllocationRow> {
  return new PageLoader(database, {
    columns: `a.used, k.name AS resourceClass, ${CONSUMER_COLUMNS}`,
    from:
      'allocations a JOIN resource_classes k ON k.id = a.resource_class_id ' +
      `JOIN consumers c ON c.uuid = a.consumer_id ${CONSUMER_OWNERS}`,
    owner: 'a.resource_provider_id',
    id: 'a.id',
  });
}

export type ConsumerRow = ConsumerSource & { readonly id: number };

/** The consumers with an allocation on any provider of a tree, by the id of the tree's root. */
export function consumersOfTrees(database: Database): PageLoader<ConsumerRow> {
  return new PageLoader(database, {
    columns: CONSUMER_COLUMNS,
    from:
      'resource_providers p JOIN allocations a ON a.resource_provider_id = p.id ' +
      `JOIN consumers c ON c.uuid = a.consumer_id ${CONSUMER_OWNERS}`,
    owner: 'p.root_provider_id',
    id: 'c.id',
  });
}
