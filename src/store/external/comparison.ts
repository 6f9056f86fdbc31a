import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { readUncommitted } from '../database/onConnection.js';
import { read, statement, tables, value, type Queryable } from '../sql/statements.js';
import { CATALOG } from '../../model/recordedChanges.js';
import type { LiveSnapshot, RecordChanges } from '../live/liveSnapshot.js';
import type { FleetSnapshot } from '../../fleet/fleetSnapshot.js';
import {
  aggregatesOnce,
  providerAt,
  type InventoryData,
  type ProviderData,
} from '../../fleet/providerData.js';
import { groupBy } from '../../model/collections.js';
import {
  catalogChecksum,
  checksumsIn,
  differing,
  readCatalogChecksum,
  readChecksums,
  type ChecksumKind,
  hasIdsOf,
  idsOf,
  rangeOf,
  type IdRange,
} from './checksums.js';

/**
 * Compares the database with the snapshot: first the checksums of ranges, then the providers of ranges
 * that differ. It records differences that the feed does not explain in the feed, from which all processes
 * read them, this one too. So if recording fails, the next comparison finds the same differences.
 */
export class Comparison {
  /**
   * By id: the stored states that a snapshot cannot represent. Such providers are outside any tree,
   * or have allocations without an inventory.
   */
  private readonly permanentMismatches = new Map<number, string>();

  constructor(
    private readonly live: LiveSnapshot,
    private readonly recordChanges: RecordChanges,
  ) {}

  async compare(reader: Queryable, kind: ChecksumKind, slice: IdRange): Promise<void> {
    const before = await this.live.current();
    const stored = await readChecksums(reader, kind, slice, before.names.aggregates.replacedIds());
    const ranges = differing(stored, checksumsIn(before.blocks, kind, slice));
    if (ranges.length === 0) return;
    // Excludes changes that were written with the feed meanwhile.
    const now = checksumsIn((await this.live.current()).blocks, kind, slice);
    for (const range of differing(stored, now).filter((each) => ranges.includes(each)))
      await this.compareRange(reader, range);
  }

  /**
   * Compares providers; {@link CATALOG} stands for the catalog. Returns those with changes that were not
   * visible: uncommitted ones, and those of a commit that had not ended.
   */
  async compareProviders(database: Database, ids: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const written = await readUncommitted(database, (connection) => readStates(connection, ids));
    const visible = await readStates(database.pool, ids);
    if (ids.has(CATALOG)) await this.compareCatalog(database.pool);
    for (const range of rangesOf(ids)) await this.compareRange(database.pool, range);
    return new Set([...ids].filter((id) => written.get(id) !== visible.get(id)));
  }

  async compareCatalog(reader: Queryable): Promise<void> {
    const before = catalogChecksum((await this.live.current()).names);
    const stored = await readCatalogChecksum(reader);
    if (stored !== before && stored !== catalogChecksum((await this.live.current()).names))
      await this.record([CATALOG]);
  }

  /** Compares twice, because other servers may write with the feed during the first comparison. */
  private async compareRange(reader: Queryable, range: number): Promise<void> {
    const ids = idsOf(range);
    const found = await this.mismatches(reader, ids);
    if (found.size === 0) return;
    const again = await this.mismatches(reader, ids);
    const changed = [...again.keys()].filter((id) => found.has(id));
    if (changed.length === 0) return;
    await this.record(changed);
    for (const [id, stored] of await this.mismatches(reader, ids))
      if (again.get(id) === stored) this.permanentMismatches.set(id, stored);
  }

  /** Returns, by id, the stored state of providers that were changed without the feed. */
  private async mismatches(reader: Queryable, ids: IdRange): Promise<Map<number, string>> {
    const known = fingerprintsIn(await this.live.current(), ids);
    const rows = await readFingerprinted(reader, ids);
    const current = await this.live.current();
    const stored = new Map(
      rows.map(({ aggregates, ...row }) => [
        row.id,
        fingerprint({ ...row, aggregates: aggregatesOnce(aggregates, current.names.aggregates) }),
      ]),
    );
    const found = new Map<number, string>();
    for (const id of new Set([...stored.keys(), ...known.keys()])) {
      const here = stored.get(id);
      if (here === known.get(id) || !isChangedOutsideFeed(id, here, current)) continue;
      if (this.permanentMismatches.get(id) !== (here ?? '')) found.set(id, here ?? '');
    }
    return found;
  }

  private async record(changed: readonly number[]): Promise<void> {
    const snapshot = await this.live.current();
    await this.recordChanges(
      changed,
      changed.flatMap((id) => snapshot.providerOf(id) ?? []),
    );
  }
}

/**
 * Returns whether the stored state differs from a snapshot that has followed the feed since. A
 * stored state older than the snapshot does not count. `stored` is undefined if the provider was
 * deleted.
 */
function isChangedOutsideFeed(id: number, stored: string | undefined, current: FleetSnapshot): boolean {
  const known = current.providerOf(id);
  if (stored === undefined || known === undefined) return (stored === undefined) !== (known === undefined);
  return stored !== fingerprint(known) && parseInt(stored) >= known.generation;
}

type Fingerprinted = Pick<ProviderData, 'generation' | 'parentId' | 'rootId' | 'name' | 'aggregates'> & {
  readonly inventories: readonly Pick<InventoryData, 'classId' | 'used'>[];
};

/**
 * Returns a text of a provider's generation, position, name, aggregates and usage. OpenStack Placement may
 * change the last four without incrementing the generation.
 */
function fingerprint({ generation, parentId, rootId, name, aggregates, inventories }: Fingerprinted): string {
  const ids = [...aggregates].sort((a, b) => a - b);
  const used = inventories.filter((each) => each.used > 0).sort((a, b) => a.classId - b.classId);
  const amounts = used.map((each) => `${each.classId}:${each.used}`);
  return [generation, parentId, rootId, JSON.stringify(name), `[${ids.join(' ')}]`, ...amounts].join(' ');
}

function fingerprintsIn({ blocks }: FleetSnapshot, ids: IdRange): Map<number, string> {
  const fingerprints = new Map<number, string>();
  for (const block of blocks) {
    if (!hasIdsOf(block, ids)) continue;
    block.ids.forEach((id, row) => {
      if (id > ids.after && id <= ids.last) fingerprints.set(id, fingerprint(providerAt({ block, row })));
    });
  }
  return fingerprints;
}

/** Returns the ranges of ids with these providers. */
function rangesOf(ids: Iterable<number>): Set<number> {
  return new Set(Array.from(ids).flatMap((id) => (id === CATALOG ? [] : rangeOf(id))));
}

const PROVIDERS = statement(
  tables
    .selectFrom('resource_providers')
    .select((eb) => [
      'id',
      eb.fn.coalesce('name', 'uuid').as('name'),
      eb.fn.coalesce('generation', sql.lit(0)).as('generation'),
      'parent_provider_id as parentId',
      eb.fn.coalesce('root_provider_id', 'id').as('rootId'),
    ])
    .where('id', '>', value<number>())
    .where('id', '<=', value<number>()),
);
const AGGREGATES = statement(
  tables
    .selectFrom('resource_provider_aggregates')
    .select(['resource_provider_id as providerId', 'aggregate_id as id'])
    .where('resource_provider_id', '>', value<number>())
    .where('resource_provider_id', '<=', value<number>()),
);
const USAGES = statement(
  tables
    .selectFrom('allocations')
    .select(['resource_provider_id as providerId', 'resource_class_id as classId'])
    .select((eb) => sql<number>`CAST(SUM(${eb.ref('used')}) AS SIGNED)`.as('used'))
    .where('resource_provider_id', '>', value<number>())
    .where('resource_provider_id', '<=', value<number>())
    .groupBy(['resource_provider_id', 'resource_class_id']),
);

async function readFingerprinted(
  reader: Queryable,
  { after, last }: IdRange,
): Promise<(Fingerprinted & { readonly id: number })[]> {
  const providers = await read(reader, PROVIDERS, [after, last]);
  const aggregates = groupBy(await read(reader, AGGREGATES, [after, last]), ({ providerId }) => providerId);
  const usages = groupBy(await read(reader, USAGES, [after, last]), ({ providerId }) => providerId);
  return providers.map((provider) => ({
    ...provider,
    aggregates: aggregates.get(provider.id)?.map(({ id }) => id) ?? [],
    inventories: usages.get(provider.id) ?? [],
  }));
}

/** Reads the fingerprints of all providers in the ranges of `ids`, and that of the catalog if it is among them. */
async function readStates(reader: Queryable, ids: ReadonlySet<number>): Promise<Map<number, string>> {
  const states = new Map<number, string>();
  if (ids.has(CATALOG)) states.set(CATALOG, String(await readCatalogChecksum(reader)));
  for (const range of rangesOf(ids))
    for (const row of await readFingerprinted(reader, idsOf(range))) states.set(row.id, fingerprint(row));
  return states;
}
