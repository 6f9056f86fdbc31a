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

export class ConsumerTable implements ConsumerFigures {
  private readonly consumers = new Map<number, ConsumerRecord>();

  set(consumer: ConsumerRecord): void {
    this.consumers.set(consumer.id, consumer);
  }

  remove(id: number): void {
    this.consumers.delete(id);
  }

  consumersOn(providerIds: ReadonlySet<number>): number[] {
    const isOn = ({ allocations }: ConsumerRecord): boolean =>
      allocations.some(({ providerId }) => providerIds.has(providerId));
    return this.matching(isOn).map(({ id }) => id);
  }

  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[] {
    const age = ({ id }: ConsumerRecord): number => id;
    const order = {
      keyOf: [...keys.map(keyOfConsumer), age],
      directions: [...keys.map(({ isDescending }) => isDescending), false],
    };
    const page = new OrderedPage<ConsumerRecord>(order, bounds);
    for (const consumer of this.consumers.values())
      if (matches(consumer, condition) && page.isWanted(consumer)) page.add(consumer);
    return page.rows.map(({ item, place }) => ({ item: item.id, place }));
  }

  count(condition: ConsumerCondition): number {
    return this.matching((consumer) => matches(consumer, condition)).length;
  }

  countsOf(owner: ConsumerOwner): Map<string, number> {
    return this.sums(owner, () => 1);
  }

  usesOf(owner: ConsumerOwner, classId: number): Map<string, number> {
    return this.sums(owner, (consumer) => useOf(consumer, classId) ?? 0);
  }

  private matching(isMatch: (consumer: ConsumerRecord) => boolean): ConsumerRecord[] {
    return Array.from(this.consumers.values()).filter(isMatch);
  }

  private sums(owner: ConsumerOwner, amountOf: (consumer: ConsumerRecord) => number): Map<string, number> {
    const sums = new Map<string, { sum: number }>(); // a number would need a second look-up for each consumer
    for (const consumer of this.consumers.values()) {
      const id = owner === 'projectId' ? consumer.projectId : consumer.userId;
      const known = sums.get(id);
      if (known === undefined) sums.set(id, { sum: amountOf(consumer) });
      else known.sum = saturatingSum(known.sum, amountOf(consumer));
    }
    return new Map(Array.from(sums, ([id, { sum }]) => [id, sum]));
  }
}

function matches(consumer: ConsumerRecord, condition: ConsumerCondition): boolean {
  const { projectId, userId, consumerType, classId, providerIds, ids } = condition;
  return (
    (projectId == null || consumer.projectId === projectId) &&
    (userId == null || consumer.userId === userId) &&
    (consumerType === undefined || consumer.consumerType === consumerType) &&
    (ids == null || ids.has(consumer.id)) &&
    ((classId == null && providerIds == null) ||
      consumer.allocations.some(
        (each) =>
          (classId == null || each.classId === classId) &&
          (providerIds == null || providerIds.has(each.providerId)),
      ))
  );
}

function useOf({ allocations }: ConsumerRecord, classId: number): number | null {
  let sum: number | null = null;
  for (const each of allocations) if (each.classId === classId) sum = (sum ?? 0) + each.used;
  return sum;
}

const COLUMNS = {
  age: 'id',
  updatedAt: 'updatedAt',
  projectId: 'projectId',
  userId: 'userId',
  type: 'consumerType',
} as const;

function keyOfConsumer({ field, classId }: ConsumerKey): (consumer: ConsumerRecord) => SortKey {
  if (field === 'used') return (consumer) => useOf(consumer, classId!);
  const column = COLUMNS[field];
  return (consumer) => consumer[column];
}
