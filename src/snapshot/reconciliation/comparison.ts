import type { Reader } from '../../database/statements.js';
import { CATALOG } from '../../feed/recordedChanges.js';
import type { LiveSnapshot, RecordChanges } from '../liveSnapshot.js';
import {
  catalogChecksum,
  checksumsIn,
  differing,
  readCatalogChecksum,
  readChecksums,
  type ChecksumKind,
} from './checksums.js';
import { findDifferences, unpublished } from './differences.js';
import { idsOf, rangeOf, type IdRange } from './idRange.js';

/**
 * Compares the database with the snapshot: checksums of ranges of providers, and where they differ the providers one by one. What is
 * found, and in the change feed is not, is invalidated in the snapshot and recorded in the feed for the other processes.
 */
export class Comparison {
  /**
   * By id, what the database has of providers that the snapshot does not show so however often they are read: those outside of any
   * tree, those with allocations without an inventory.
   */
  private readonly lasting = new Map<number, string>();

  constructor(
    private readonly live: LiveSnapshot,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** Compares ranges of providers: all of them by their checksums of a kind, those that differ by all that there is. */
  async compare(reader: Reader, kind: ChecksumKind, slice: IdRange): Promise<void> {
    const before = await this.live.current();
    const stored = await readChecksums(reader, kind, slice);
    const ranges = differing(stored, checksumsIn(before.blocks, kind, slice));
    if (ranges.length === 0) return;
    // what was written meanwhile with the feed is no difference
    const now = checksumsIn((await this.live.current()).blocks, kind, slice);
    for (const range of differing(stored, now).filter((each) => ranges.includes(each)))
      await this.compareRange(reader, range);
  }

  /** Compares the ranges that these providers belong to, and the catalog if it is among them. */
  async compareProviders(reader: Reader, ids: ReadonlySet<number>): Promise<void> {
    if (ids.has(CATALOG)) await this.compareCatalog(reader);
    const ranges = new Set([...ids].filter((id) => id !== CATALOG).map(rangeOf));
    for (const range of ranges) await this.compareRange(reader, range);
  }

  /** Compares the names of traits and resource classes. */
  async compareCatalog(reader: Reader): Promise<void> {
    const before = catalogChecksum((await this.live.current()).names);
    const stored = await readCatalogChecksum(reader);
    if (stored !== before && stored !== catalogChecksum((await this.live.current()).names))
      await this.record([CATALOG]);
  }

  private async compareRange(reader: Reader, range: number): Promise<void> {
    const ids = idsOf(range);
    const found = await this.unexplained(reader, ids);
    if (found.size === 0) return;
    // looked at twice, because of what is written with the feed while this compares
    const again = await this.unexplained(reader, ids);
    const changed = [...again.keys()].filter((id) => found.has(id));
    if (changed.length === 0) return;
    await this.record(changed);
    for (const [id, stored] of await this.unexplained(reader, ids))
      if (again.get(id) === stored) this.lasting.set(id, stored);
  }

  /** By id, what the database has of the providers that differ, as far as neither the feed nor an earlier comparison explains it. */
  private async unexplained(reader: Reader, ids: IdRange): Promise<Map<number, string>> {
    const differences = await findDifferences(reader, await this.live.current(), ids);
    const changed = unpublished(differences, await this.live.current());
    const found = changed.map((id): [number, string] => [id, differences.stored.get(id) ?? '']);
    return new Map(found.filter(([id, stored]) => this.lasting.get(id) !== stored));
  }

  private async record(changed: readonly number[]): Promise<void> {
    const snapshot = await this.live.current();
    this.live.invalidate(changed);
    await this.recordChanges(
      changed,
      changed.flatMap((id) => snapshot.providerOf(id) ?? []),
    );
  }
}
