import { saturatingSum } from '../../domain/capacity.js';
import type {
  ConsumerCondition,
  ConsumerFigures,
  ConsumerKey,
  ConsumerOwner,
} from '../../domain/listing/consumerFigures.js';
import { OrderedPage, type Placed, type SortBounds, type SortKey } from '../../domain/listing/orderedPage.js';

export interface ConsumerRecord {
  readonly id: number;
  /** Empty if another program has left the consumer without its project or user. */
  readonly projectId: string;
  readonly userId: string;
  /** Null: untyped. */
  readonly consumerType: string | null;
  /** In seconds since 1970; null if it was not recorded. */
  readonly updatedAt: number | null;
  readonly allocations: readonly {
    readonly providerId: number;
    readonly classId: number;
    readonly used: number;
  }[];
}

/** The projects or users of the rows. A sum by position takes a third of the time of a sum by name. */
class OwnerColumn {
  readonly names: string[] = [];
  /** By row: the position of the owner in `names`. */
  readonly positions: number[] = [];
  private readonly positionOf = new Map<string, number>();

  set(row: number, name: string): void {
    let position = this.positionOf.get(name);
    if (position === undefined) this.positionOf.set(name, (position = this.names.push(name) - 1));
    this.positions[row] = position;
  }
}

/** Marks a row without a consumer. Ids begin at 1. */
const FREE = 0;

/** Marks in a column of uses that a row has no allocation. */
const NONE = -1;

export class ConsumerTable implements ConsumerFigures {
  private readonly consumers: ConsumerRecord[] = [];
  /** By row: the id of the consumer, or {@link FREE}. */
  private readonly ids: number[] = [];
  private readonly rows = new Map<number, number>();
  private readonly freeRows: number[] = [];
  private readonly owners = { projectId: new OwnerColumn(), userId: new OwnerColumn() };
  /**
   * By class, the use of each row, for classes that a request has needed. A pass over a column
   * takes a third of the time of a pass over the allocations of all consumers.
   */
  private readonly uses = new Map<number, number[]>();

  set(consumer: ConsumerRecord): void {
    const row = this.rows.get(consumer.id) ?? this.freeRows.pop() ?? this.consumers.length;
    this.rows.set(consumer.id, row);
    this.consumers[row] = consumer;
    this.ids[row] = consumer.id;
    this.owners.projectId.set(row, consumer.projectId);
    this.owners.userId.set(row, consumer.userId);
    for (const [classId, uses] of this.uses) uses[row] = useOf(consumer, classId);
  }

  remove(id: number): void {
    const row = this.rows.get(id);
    if (row === undefined) return;
    this.rows.delete(id);
    this.ids[row] = FREE;
    this.freeRows.push(row);
  }

  consumersOn(providerIds: ReadonlySet<number>): number[] {
    const found: number[] = [];
    for (const [row, { allocations }] of this.consumers.entries())
      if (this.ids[row] !== FREE && allocations.some(({ providerId }) => providerIds.has(providerId)))
        found.push(this.ids[row]);
    return found;
  }

  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[] {
    const { ids } = this;
    const order = {
      keyOf: [...keys.map((key) => this.keyOf(key)), (row: number) => ids[row]],
      directions: [...keys.map(({ isDescending }) => isDescending), false],
    };
    const page = new OrderedPage<number>(order, bounds);
    const matches = this.matching(condition);
    const [{ field, classId, isDescending }] = keys;
    const isLargestFirst = field === 'used' && isDescending && bounds.backwards !== true;
    const uses = isLargestFirst ? this.usesOfClass(classId!) : [];
    const rows = this.rowsOf(condition);
    const end = (rows ?? ids).length;
    let least = NONE;
    let youngest = Infinity;
    for (let at = 0; at < end; at++) {
      const row = rows === null ? at : rows[at];
      // the page rejects most rows by their use and age alone
      if (isLargestFirst && (uses[row] < least || (uses[row] === least && ids[row] > youngest))) continue;
      if (ids[row] === FREE || !page.isWanted(row) || !matches(row)) continue;
      page.add(row);
      const { threshold } = page;
      if (!isLargestFirst || threshold === null) continue;
      least = Number(threshold[0] ?? NONE);
      if (keys.length === 1) youngest = Number(threshold[1]);
    }
    return page.rows.map(({ item, place }) => ({ item: ids[item], place }));
  }

  count(condition: ConsumerCondition): number {
    const matches = this.matching(condition);
    const isCounted = (row: number): boolean => this.ids[row] !== FREE && matches(row);
    const rows = this.rowsOf(condition);
    if (rows !== null) return rows.filter(isCounted).length;
    let count = 0;
    for (let row = 0; row < this.ids.length; row++) if (isCounted(row)) count++;
    return count;
  }

  countsOf(owner: ConsumerOwner): Map<string, number> {
    return this.sums(owner, () => 1);
  }

  usesOf(owner: ConsumerOwner, classId: number): Map<string, number> {
    const uses = this.usesOfClass(classId);
    return this.sums(owner, (row) => Math.max(uses[row], 0));
  }

  private sums(owner: ConsumerOwner, amountOf: (row: number) => number): Map<string, number> {
    const { positions, names } = this.owners[owner];
    const sums: number[] = [];
    for (let row = 0; row < this.ids.length; row++) {
      if (this.ids[row] === FREE) continue;
      const position = positions[row];
      sums[position] = saturatingSum(sums[position] ?? 0, amountOf(row));
    }
    // skips owners whose last consumer is deleted: their sums are not in the array
    return new Map(sums.flatMap((sum, position): [string, number][] => [[names[position], sum]]));
  }

  /** The rows of the only consumers that can match. Null: all. */
  private rowsOf({ ids }: ConsumerCondition): readonly number[] | null {
    return ids == null ? null : Array.from(ids).flatMap((id) => this.rows.get(id) ?? []);
  }

  private matching({
    projectId,
    userId,
    consumerType,
    classId,
  }: ConsumerCondition): (row: number) => boolean {
    const uses = classId == null ? null : this.usesOfClass(classId);
    return (row) => {
      const consumer = this.consumers[row];
      return (
        (projectId == null || consumer.projectId === projectId) &&
        (userId == null || consumer.userId === userId) &&
        (consumerType === undefined || consumer.consumerType === consumerType) &&
        (uses === null || uses[row] !== NONE)
      );
    };
  }

  private keyOf({ field, classId }: ConsumerKey): (row: number) => SortKey {
    if (field === 'used') {
      const uses = this.usesOfClass(classId!);
      return (row) => (uses[row] === NONE ? null : uses[row]);
    }
    const column = COLUMNS[field];
    return (row) => this.consumers[row][column];
  }

  private usesOfClass(classId: number): readonly number[] {
    const known = this.uses.get(classId);
    if (known !== undefined) return known;
    const uses = this.consumers.map((consumer) => useOf(consumer, classId));
    this.uses.set(classId, uses);
    return uses;
  }
}

/** The use of a class by a consumer, or {@link NONE}. */
function useOf({ allocations }: ConsumerRecord, classId: number): number {
  let sum = NONE;
  for (const each of allocations) if (each.classId === classId) sum = Math.max(sum, 0) + each.used;
  return sum;
}

const COLUMNS = {
  age: 'id',
  updatedAt: 'updatedAt',
  projectId: 'projectId',
  userId: 'userId',
  type: 'consumerType',
} as const;
