import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';
import { groupBy } from '../groups.js';
import { connectionOf, type PageRequest, type ProviderConnection } from '../paging/paging.js';
import { PROVIDER_COLUMNS, providerOf, type ProviderRow, type ProviderSource } from './providerSource.js';
import { allOf, between, sql } from '../sql.js';

/** The providers that belong to something, page by page: equal pages of many owners are one statement. */
export class MemberLoader {
  private readonly pages = new Map<string, DataLoader<string, readonly ProviderSource[]>>();
  private readonly counts: DataLoader<string, number>;

  constructor(
    private readonly database: Database,
    /** The FROM clause that joins owners `o` with providers `p`, and the column that names an owner. */
    private readonly join: { readonly from: string; readonly owner: string },
  ) {
    this.counts = new DataLoader((owners) => this.count(owners));
  }

  async page(owner: string, request: PageRequest): Promise<ProviderConnection> {
    const key = JSON.stringify(request);
    const loader =
      this.pages.get(key) ?? new DataLoader((owners: readonly string[]) => this.read(owners, request));
    this.pages.set(key, loader);
    return connectionOf(request, await loader.load(owner), () => this.counts.load(owner));
  }

  private async read(
    owners: readonly string[],
    { size, after, before }: PageRequest,
  ): Promise<ProviderSource[][]> {
    const where = allOf([sql(`${this.join.owner} IN (?)`, owners), ...between(after, before)]);
    const rows = await this.database.pool.query<(ProviderRow & { owner: string })[]>(
      `SELECT * FROM (
         SELECT ${this.join.owner} AS owner, ${PROVIDER_COLUMNS},
                ROW_NUMBER() OVER (PARTITION BY ${this.join.owner} ORDER BY p.name) AS place
           FROM ${this.join.from} WHERE ${where.text}) ranked
       WHERE place <= ? ORDER BY place`,
      [...where.values, size + 1],
    );
    const byOwner = groupBy(rows, (row) => row.owner);
    return owners.map((owner) => (byOwner.get(owner) ?? []).map(providerOf));
  }

  private async count(owners: readonly string[]): Promise<number[]> {
    const rows = await this.database.pool.query<{ owner: string; members: number }[]>(
      `SELECT ${this.join.owner} AS owner, COUNT(*) AS members
         FROM ${this.join.from} WHERE ${this.join.owner} IN (?) GROUP BY ${this.join.owner}`,
      [owners],
    );
    const byOwner = new Map(rows.map((row) => [row.owner, row.members]));
    return owners.map((owner) => byOwner.get(owner) ?? 0);
  }
}

export function traitMembers(database: Database): MemberLoader {
  return new MemberLoader(database, {
    owner: 'o.name',
    from:
      'traits o JOIN resource_provider_traits m ON m.trait_id = o.id ' +
      'JOIN resource_providers p ON p.id = m.resource_provider_id',
  });
}

export function aggregateMembers(database: Database): MemberLoader {
  return new MemberLoader(database, {
    owner: 'o.uuid',
    from:
      'placement_aggregates o JOIN resource_provider_aggregates m ON m.aggregate_id = o.id ' +
      'JOIN resource_providers p ON p.id = m.resource_provider_id',
  });
}
