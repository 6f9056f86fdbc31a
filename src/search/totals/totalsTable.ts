import { byCodePoint } from '../../model/listing/orderedPage.js';
import type { Sums } from '../../fleet/sums.js';
import type { Total, TotalKey } from './totals.js';

/** The approximate memory of a row (bytes). */
const ROW_BYTES = 200;

/** The place of a row: rows are sorted by the name of their group, then by class. */
export interface TotalsPlace {
  readonly name: string;
  readonly resourceClass: string;
}

/** A total of a table, without the snapshot that it was read from. */
export interface TotalsRow extends TotalsPlace, TotalKey, Readonly<Sums> {
  readonly providers: number;
  /** The version that added the row. */
  readonly added: number;
  /** The version that last changed the sums. */
  readonly changed: number;
  /** The version that removed the row. Null while it exists. */
  readonly removed: number | null;
}

/** The version that a reader knows, and a later one. */
export interface TotalsVersions {
  readonly from: number;
  readonly to: number;
}

/**
 * The totals of one filter and grouping. Each change is a version, so that readers that know different
 * versions share one table. It holds no snapshot.
 */
export class TotalsTable {
  /** 0 before the first update. */
  version = 0;
  /** Includes the removed rows that a reader may still know. */
  private rows: readonly TotalsRow[] = [];

  get bytes(): number {
    return ROW_BYTES * this.rows.length;
  }

  /**
   * Replaces the rows. Adds a version if a row differs.
   *
   * @param totals sorted by group and class
   * @param known the versions that readers know: they need the rows that were removed since
   */
  update(totals: readonly Total[], known: readonly number[]): void {
    const version = this.version + 1;
    const rows: TotalsRow[] = [];
    let at = 0;
    let isChanged = this.version === 0;
    const addRemovedBefore = (total: Total | null): void => {
      for (; at < this.rows.length && (total === null || orderOf(this.rows[at], total) < 0); at++) {
        const { removed, ...row } = this.rows[at];
        isChanged ||= removed === null;
        const gone = { ...row, removed: removed ?? version };
        if (known.some((each) => row.added <= each && each < gone.removed)) rows.push(gone);
      }
    };
    for (const total of totals) {
      addRemovedBefore(total);
      const isKnown = at < this.rows.length && orderOf(this.rows[at], total) === 0;
      const old = isKnown ? this.rows[at++] : null;
      const row = rowOf(total, old, version);
      isChanged ||= row !== old;
      rows.push(row);
    }
    addRemovedBefore(null);
    this.rows = rows;
    if (isChanged) this.version = version;
  }

  /** Returns at most `limit` changed rows after a place, and the place of the last one if more follow. */
  changes(
    versions: TotalsVersions,
    after: TotalsPlace | null,
    limit: number,
  ): { readonly rows: readonly TotalsRow[]; readonly next: TotalsPlace | null } {
    const rows: TotalsRow[] = [];
    for (let at = after === null ? 0 : this.positionAfter(after); at < this.rows.length; at++) {
      const row = this.rows[at];
      if (!isChangedIn(row, versions)) continue;
      if (rows.length === limit) return { rows, next: rows[limit - 1] };
      rows.push(row);
    }
    return { rows, next: null };
  }

  private positionAfter(place: TotalsPlace): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byPlace(this.rows[middle], place) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A row with changes after `to` counts only if the reader would miss it otherwise: the next change has it again. */
function isChangedIn({ added, changed, removed }: TotalsRow, { from, to }: TotalsVersions): boolean {
  return removed === null ? added <= to && changed > from : added <= from && removed > from && removed <= to;
}

function byPlace(one: TotalsPlace, other: TotalsPlace): number {
  return byCodePoint(one.name, other.name) || byCodePoint(one.resourceClass, other.resourceClass);
}

function orderOf(row: TotalsRow, { group, resourceClass }: Total): number {
  return byPlace(row, { name: group, resourceClass });
}

/** Returns the old row if it has the same sums. */
function rowOf(total: Total, old: TotalsRow | null, version: number): TotalsRow {
  const { group: name, resourceClass, capacity, used, available, allowedUsage, providers, root } = total;
  const isSame =
    old !== null &&
    old.removed === null &&
    old.capacity === capacity &&
    old.used === used &&
    old.available === available &&
    old.allowedUsage === allowedUsage &&
    old.providers === providers;
  if (isSame) return old;
  return {
    name,
    group: root === null ? name : root.block.uuids[root.row],
    resourceClass,
    capacity,
    used,
    available,
    allowedUsage,
    providers,
    added: old?.added ?? version,
    changed: version,
    removed: null,
  };
}
