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

/** Marks in a column of uses that a row has no allocation. */
const NONE = -1;

export class ConsumerTable implements ConsumerFigures {
  /** Null: the row is free. */
  private readonly consumers: (ConsumerRecord | null)[] = [];
  private readonly rows = new Map<number, number>();
  private readonly freeRows: number[] = [];
  /**
   * By class, the use of each row, for classes that a request has needed. A pass over a column
   * takes a third of the time of a pass over the allocations of all consumers.
   */
  private readonly uses = new Map<number, number[]>();

  set(consumer: ConsumerRecord): void {
    const row = this.rows.get(consumer.id) ?? this.freeRows.pop() ?? this.consumers.length;
    this.rows.set(consumer.id, row);
    this.consumers[row] = consumer;
    for (const [classId, uses] of this.uses) uses[row] = useOf(consumer, classId);
  }

  remove(id: number): void {
    const row = this.rows.get(id);
    if (row === undefined) return;
    this.rows.delete(id);
    this.consumers[row] = null;
    this.freeRows.push(row);
  }

  consumersOn(providerIds: ReadonlySet<number>): number[] {
    const found: number[] = [];
    for (const consumer of this.consumers)
      if (consumer?.allocations.some(({ providerId }) => providerIds.has(providerId)))
        found.push(consumer.id);
    return found;
  }

  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[] {
    const idOf = (row: number): number => this.consumers[row]!.id;
    const order = {
      keyOf: [...keys.map((key) => this.keyOf(key)), idOf],
      directions: [...keys.map(({ isDescending }) => isDescending), false],
    };
    const page = new OrderedPage<number>(order, bounds);
    const matches = this.matching(condition);
    for (const row of this.rowsOf(condition))
      if (this.consumers[row] !== null && page.isWanted(row) && matches(row)) page.add(row);
    return page.rows.map(({ item, place }) => ({ item: idOf(item), place }));
  }

  count(condition: ConsumerCondition): number {
    const matches = this.matching(condition);
    let count = 0;
    for (const row of this.rowsOf(condition)) if (this.consumers[row] !== null && matches(row)) count++;
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
    const sums = new Map<string, { sum: number }>(); // a number would need a second look-up for each consumer
    for (const [row, consumer] of this.consumers.entries()) {
      if (consumer === null) continue;
      const id = owner === 'projectId' ? consumer.projectId : consumer.userId;
      const known = sums.get(id);
      if (known === undefined) sums.set(id, { sum: amountOf(row) });
      else known.sum = saturatingSum(known.sum, amountOf(row));
    }
    return new Map(Array.from(sums, ([id, { sum }]) => [id, sum]));
  }

  /** The rows that can match, some of which may be free. */
  private rowsOf({ ids }: ConsumerCondition): Iterable<number> {
    return ids == null ? this.consumers.keys() : Array.from(ids).flatMap((id) => this.rows.get(id) ?? []);
  }

  private matching({
    projectId,
    userId,
    consumerType,
    classId,
  }: ConsumerCondition): (row: number) => boolean {
    const uses = classId == null ? null : this.usesOfClass(classId);
    return (row) => {
      const consumer = this.consumers[row]!;
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
    return (row) => this.consumers[row]![column];
  }

  private usesOfClass(classId: number): readonly number[] {
    const known = this.uses.get(classId);
    if (known !== undefined) return known;
    const uses = this.consumers.map((consumer) => (consumer === null ? NONE : useOf(consumer, classId)));
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
