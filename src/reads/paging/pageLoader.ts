import DataLoader from 'dataloader';
import { groupBy } from '../groups.js';
import { connectionOf, type Connection, type ListOrder, type Page } from './paging.js';

/** A list of what belongs to owners, one list for each. */
export interface OwnedList<Owner, T, Place> {
  readonly order: ListOrder<T, Place>;
  /**
   * The first objects of each of the owners between the bounds, from the front or from the back, in the direction of reading: `limit`
   * of each, or all there are.
   */
  read(
    owners: readonly Owner[],
    bounds: Omit<Page<Place>, 'size'>,
    limit: number,
  ): Promise<readonly { readonly owner: Owner | null; readonly node: T }[]>;
  /** How many objects each of the owners has; those that have none may be left out. */
  count(
    owners: readonly Owner[],
  ): Promise<readonly { readonly owner: Owner | null; readonly members: number }[]>;
}

/** Reads owned lists page by page: equal pages of many owners are one statement, as are counts. */
export class PageLoader<Owner, T, Place> {
  private readonly pages = new Map<string, DataLoader<Owner, readonly T[]>>();
  private readonly counts: DataLoader<Owner, number>;

  constructor(private readonly list: OwnedList<Owner, T, Place>) {
    this.counts = new DataLoader((owners) => this.count(owners));
  }

  async page(owner: Owner, page: Page<Place>): Promise<Connection<T>> {
    const key = JSON.stringify(page);
    const loader =
      this.pages.get(key) ?? new DataLoader((owners: readonly Owner[]) => this.read(owners, page));
    this.pages.set(key, loader);
    return connectionOf(this.list.order, page, await loader.load(owner), () => this.counts.load(owner));
  }

  private async read(owners: readonly Owner[], { size, ...bounds }: Page<Place>): Promise<T[][]> {
    const rows = await this.list.read(owners, bounds, size + 1);
    const byOwner = groupBy(rows, (row) => row.owner);
    return owners.map((owner) => (byOwner.get(owner) ?? []).map(({ node }) => node));
  }

  private async count(owners: readonly Owner[]): Promise<number[]> {
    const byOwner = new Map((await this.list.count(owners)).map((row) => [row.owner, row.members]));
    return owners.map((owner) => byOwner.get(owner) ?? 0);
  }
}
