import type DataLoader from 'dataloader';
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { groupBy } from '../../model/collections.js';
import { boundsOf, connectionOf, type Bounds, type Connection, type ListOrder, type Page } from './paging.js';
import type { Operation } from '../../model/operation/operation.js';
import { BatchLoader } from '../loaders/batchLoader.js';

/** One list for each owner, such as the allocations of each provider. */
export interface OwnedList<Owner, T, Place> {
  readonly order: ListOrder<T, Place>;
  /** Reads the objects of each owner between the bounds, in the direction of reading. */
  read(
    owners: readonly Owner[],
    bounds: Bounds<Place>,
  ): Promise<readonly { readonly owner: Owner | null; readonly node: T }[]>;
  /** Counts the objects of each owner. Owners without any may be absent. */
  count(
    owners: readonly Owner[],
  ): Promise<readonly { readonly owner: Owner | null; readonly members: number }[]>;
}

/** Reads owned lists page by page. Equal pages of several owners share one statement, as do counts. */
export class PageLoader<Owner, T, Place> {
  private readonly pages = new Map<string, DataLoader<Owner, readonly T[]>>();
  private readonly counts: DataLoader<Owner, number>;

  constructor(
    private readonly operation: Operation,
    private readonly list: OwnedList<Owner, T, Place>,
  ) {
    this.counts = new BatchLoader(operation, (owners) => this.count(owners));
  }

  async page(owner: Owner, page: Page<Place>): Promise<Connection<T>> {
    const key = JSON.stringify(page);
    const loader =
      this.pages.get(key) ??
      new BatchLoader(this.operation, (owners: readonly Owner[]) => this.read(owners, page));
    this.pages.set(key, loader);
    return connectionOf(this.list.order, page, await loader.load(owner), () => this.counts.load(owner));
  }

  private async read(owners: readonly Owner[], page: Page<Place>): Promise<T[][]> {
    const byOwner = groupBy(await this.list.read(owners, boundsOf(page)), (row) => row.owner);
    return owners.map((owner) => (byOwner.get(owner) ?? []).map(({ node }) => node));
  }

  private async count(owners: readonly Owner[]): Promise<number[]> {
    const byOwner = new Map((await this.list.count(owners)).map((row) => [row.owner, row.members]));
    return owners.map((owner) => byOwner.get(owner) ?? 0);
  }
}

/**
 * Returns a subquery of the first `limit` objects of each owner between two places, each object once. `owner` and
 * `key` are the columns of the owner and of the object's place.
 */
export function firstOfEach<D, TB extends keyof D, Row>(
  query: SelectQueryBuilder<D, TB, Row>,
  columns: { readonly owner: string; readonly key: string },
  { after, before, backwards, limit }: Bounds<string | number>,
): RawBuilder<Row & { readonly place: number }> {
  const [owner, key] = [sql.ref(columns.owner), sql.ref(columns.key)];
  const direction = sql.raw(backwards ? 'DESC' : 'ASC');
  const ranked = query
    .$if(after !== null, (rows) => rows.where(sql<boolean>`${key} > ${after}`))
    .$if(before !== null, (rows) => rows.where(sql<boolean>`${key} < ${before}`))
    .select(sql<number>`DENSE_RANK() OVER (PARTITION BY ${owner} ORDER BY ${key} ${direction})`.as('place'));
  return sql`(SELECT DISTINCT * FROM (${ranked}) ranked WHERE place <= ${limit})`;
}
