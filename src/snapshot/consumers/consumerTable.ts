import type {
  ConsumerCondition,
  ConsumerFigures,
  ConsumerKey,
  ConsumerOwner,
} from '../../domain/listing/consumerFigures.js';
import { OrderedPage, type ListKeys, type Placed } from '../../domain/listing/orderedPage.js';
import type { SortBounds, SortPlace } from '../../domain/listing/sortKeys.js';
import { IntegerRows, NO_ROW } from './integerRows.js';

/** A consumer and who owns it, by their ids. */
export interface ConsumerRecord {
  readonly id: number;
  readonly projectId: number;
  readonly userId: number;
  /** Null: untyped. */
  readonly typeId: number | null;
}

export interface AllocationRecord {
  readonly providerId: number;
  readonly classId: number;
  readonly used: number;
}

/** Stands for an untyped consumer; ids begin at 1. */
const UNTYPED = 0;
/** The id of a row that is not in use. */
const UNUSED = 0;
/** In a column of amounts: no allocation. */
const NOTHING = -1;

/** Which rows a page can still need, by amounts and ids alone. */
interface Range {
  readonly low: number;
  readonly high: number;
  /** Of those with this amount the ids up to the youngest. */
  readonly alike: number;
  readonly youngest: number;
}

const EVERYTHING: Range = { low: NOTHING, high: Infinity, alike: NOTHING, youngest: Infinity };

/** Those that are not behind a place. */
function rangeBefore(place: SortPlace | null, keys: readonly ConsumerKey[]): Range {
  const [last, id] = place ?? [];
  if (typeof last !== 'number') return EVERYTHING;
  const youngest = keys.length === 1 ? Number(id) : Infinity;
  const range = keys[0].isDescending ? { low: last, high: Infinity } : { low: 0, high: last };
  return { ...range, alike: last, youngest };
}

/**
 * All consumers and what they have, by ids alone. It changes in place: whoever reads it does so without a pause. Every read but that of
 * one consumer is a pass over all, some 10 ns for each.
 */
export class ConsumerTable implements ConsumerFigures {
  private readonly rowsById = new Map<number, number>();
  private readonly consumers = new IntegerRows(['id', 'projectId', 'userId', 'typeId', 'first']);
  /** Those of a consumer follow each other by `next`. */
  private readonly allocations = new IntegerRows(['consumerId', 'providerId', 'classId', 'next']);
  /** By class, how much of it each consumer has: by row. */
  private readonly amounts = new Map<number, Float64Array>();

  /** Adds a consumer that is not there, without allocations. */
  add({ id, projectId, userId, typeId }: ConsumerRecord): void {
    const row = this.consumers.add({ id, projectId, userId, typeId: typeId ?? UNTYPED, first: NO_ROW });
    this.rowsById.set(id, row);
  }

  /** Gives a consumer one more allocation; one that is not there gets none. */
  allocate(consumerId: number, { providerId, classId, used }: AllocationRecord): void {
    const row = this.rowsById.get(consumerId);
    if (row === undefined) return;
    const { first } = this.consumers.columns;
    first[row] = this.allocations.add({ consumerId, providerId, classId, next: first[row] });
    const amounts = this.amountsOf(classId, row);
    amounts[row] = Math.max(amounts[row], 0) + used;
  }

  /** Removes a consumer, if it is there, and what it has. */
  remove(id: number): void {
    const row = this.rowsById.get(id);
    if (row === undefined) return;
    const { columns } = this.allocations;
    for (let at = this.consumers.columns.first[row]; at !== NO_ROW; at = columns.next[at]) {
      this.amounts.get(columns.classId[at])![row] = NOTHING;
      columns.consumerId[at] = UNUSED;
      this.allocations.remove(at);
    }
    this.consumers.columns.id[row] = UNUSED;
    this.consumers.remove(row);
    this.rowsById.delete(id);
  }

  /** The ids of the consumers that have something of one of these providers. */
  consumersOn(providerIds: ReadonlySet<number>): Set<number> {
    const found = new Set<number>();
    const { consumerId, providerId } = this.allocations.columns;
    for (let at = 0; at < this.allocations.length; at++)
      if (consumerId[at] !== UNUSED && providerIds.has(providerId[at])) found.add(consumerId[at]);
    return found;
  }

  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[] {
    const { id } = this.consumers.columns;
    const page = new OrderedPage<number>(this.listKeys(keys), bounds);
    const matches = this.matching(condition);
    const amounts = this.amounts.get(keys[0].classId ?? UNUSED) ?? new Float64Array();
    let { low, high, alike, youngest } = EVERYTHING;
    for (let row = 0; row < this.consumers.length; row++) {
      const amount = amounts[row];
      // of most rows nothing more has to be worked out
      if (amount < low || amount > high || (amount === alike && id[row] > youngest)) continue;
      if (!matches(row) || !page.isWanted(row)) continue;
      page.add(row);
      if (bounds.backwards !== true) ({ low, high, alike, youngest } = rangeBefore(page.threshold, keys));
    }
    return page.rows.map(({ item, place }) => ({ item: id[item], place }));
  }

  count(condition: ConsumerCondition): number {
    const matches = this.matching(condition);
    let count = 0;
    for (let row = 0; row < this.consumers.length; row++) if (matches(row)) count++;
    return count;
  }

  countsOf(owner: ConsumerOwner): Map<number, number> {
    return this.sums(owner, () => 1);
  }

  usesOf(owner: ConsumerOwner, classId: number): Map<number, number> {
    const usedBy = this.useOf(classId);
    return this.sums(owner, (row) => usedBy(row) ?? 0);
  }

  private sums(owner: ConsumerOwner, figureOf: (row: number) => number): Map<number, number> {
    const { id, [owner]: owners } = this.consumers.columns;
    const sums: number[] = [];
    for (let row = 0; row < this.consumers.length; row++)
      if (id[row] !== UNUSED) sums[owners[row]] = (sums[owners[row]] ?? 0) + figureOf(row);
    return new Map(sums.flatMap((sum, each) => [[each, sum]]));
  }

  private listKeys(keys: readonly ConsumerKey[]): ListKeys<number> {
    const { id } = this.consumers.columns;
    const age = (row: number): number => id[row];
    return {
      keyOf: [...keys.map(({ classId }) => (classId === null ? age : this.useOf(classId))), age],
      directions: [...keys.map(({ isDescending }) => isDescending), false],
    };
  }

  /** Whether the consumer of a row matches. */
  private matching({ projectId, userId, typeId, classId }: ConsumerCondition): (row: number) => boolean {
    const { columns } = this.consumers;
    const usedBy = classId === undefined ? null : this.useOf(classId);
    return (row) =>
      columns.id[row] !== UNUSED &&
      (projectId === undefined || columns.projectId[row] === projectId) &&
      (userId === undefined || columns.userId[row] === userId) &&
      (typeId === undefined || columns.typeId[row] === (typeId ?? UNTYPED)) &&
      (usedBy === null || usedBy(row) !== null);
  }

  /** How much of a class a consumer has, by its row; null: it has no allocation of it. */
  private useOf(classId: number): (row: number) => number | null {
    const amounts = this.amounts.get(classId) ?? [];
    return (row) => (row >= amounts.length || amounts[row] === NOTHING ? null : amounts[row]);
  }

  /** The amounts of a class, with room for a row. */
  private amountsOf(classId: number, row: number): Float64Array {
    const known = this.amounts.get(classId);
    if (known !== undefined && row < known.length) return known;
    const amounts = new Float64Array(this.consumers.columns.id.length).fill(NOTHING);
    if (known !== undefined) amounts.set(known);
    this.amounts.set(classId, amounts);
    return amounts;
  }
}
