import { expect, test } from '@jest/globals';
import {
  CONSUMER_ORDER_FIELDS,
  type ConsumerCondition,
  type ConsumerKey,
  type ConsumerOwner,
} from '../../src/model/listing/consumerFigures.js';
import { comparePlaces, type SortKey, type SortPlace } from '../../src/model/listing/orderedPage.js';
import { ConsumerTable, type ConsumerRecord } from '../../src/store/live/consumers/consumerTable.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { cases } from '../support/length.js';
import { collectGarbage } from '../support/garbage.js';

/** Ids of resource classes begin at 0: that of VCPU. */
const classId = fc.integer({ min: 0, max: 2 });
const small = (max: number) => fc.integer({ min: 1, max });
const allocation = fc.record({ providerId: small(4), classId, used: small(9) });
const owner = fc.constantFrom('a', 'b', '');
const consumerType = fc.constantFrom('INSTANCE', 'MIGRATION', null);
const consumer: fc.Arbitrary<ConsumerRecord> = fc
  .record({
    id: small(24),
    projectId: owner,
    userId: owner,
    consumerType,
    updatedAt: fc.option(small(3)),
    expiresAt: fc.option(small(3)),
    allocations: fc.array(allocation, { maxLength: 4 }),
  })
  .map((each) => ({ ...each, texts: textsOf(each.id) }));
/** Some consumers are stored in several spellings, others under a key that is no UUID. */
function textsOf(id: number): string[] {
  const uuid = `a0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  return id % 7 === 0 ? [uuid.toUpperCase(), uuid] : id % 5 === 0 ? [`consumer ${id}`] : [uuid];
}
/** A consumer to set, or the id of one to remove. */
const step = fc.oneof({ weight: 3, arbitrary: consumer }, { weight: 1, arbitrary: small(24) });
/** Few or many: a page has to be full before it rejects consumers. */
const steps = fc.oneof(fc.array(step, { maxLength: 60 }), fc.array(step, { minLength: 40, maxLength: 60 }));
const set = (arbitrary: fc.Arbitrary<number>) => fc.array(arbitrary).map((ids) => new Set(ids));
const condition: fc.Arbitrary<ConsumerCondition> = fc.oneof(
  fc.constant({}),
  fc.record({ classId }),
  fc.record({ projectId: owner, consumerType }),
  fc.record({ userId: owner, classId }),
  fc.record({ ids: set(small(24)) }),
  fc.record({ exceptIds: set(small(24)) }),
);
const key: fc.Arbitrary<ConsumerKey> = fc
  .record({
    field: fc.oneof(fc.constant('used' as const), fc.constantFrom(...CONSUMER_ORDER_FIELDS)),
    classId,
    isDescending: fc.boolean(),
  })
  .map((each) => (each.field === 'used' ? each : { ...each, classId: null }));
const keys = fc.uniqueArray(key, {
  minLength: 1,
  maxLength: 3,
  selector: (each) => `${each.field} ${each.classId}`,
});

function tableAfter(given: readonly (ConsumerRecord | number)[]): {
  table: ConsumerTable;
  plain: Map<number, ConsumerRecord>;
} {
  const table = new ConsumerTable();
  const plain = new Map<number, ConsumerRecord>();
  for (const [at, each] of given.entries()) {
    // the columns of uses must follow the changes after they were read
    if (at === Math.floor(given.length / 2)) readUses(table, [at % 3], plain.values());
    if (typeof each === 'number') {
      table.remove(each);
      plain.delete(each);
    } else {
      table.set(each);
      plain.set(each.id, each);
    }
  }
  readUses(table, [0, 1, 2], plain.values());
  return { table, plain };
}

/** Adds the uses of classes that the table does not have, as a load does: each row by one of its consumer's texts. */
function readUses(table: ConsumerTable, classIds: readonly number[], all: Iterable<ConsumerRecord>): void {
  const missing = table.classesWithout(classIds);
  const reader = table.reading(missing);
  for (const { texts, allocations } of all)
    for (const [at, one] of allocations.entries())
      reader.addUse(texts[at % texts.length], one.classId, one.used);
  reader.end();
}

function usedBy({ allocations }: ConsumerRecord, wanted: number): number | null {
  const ofClass = allocations.filter((one) => one.classId === wanted);
  return ofClass.length === 0 ? null : ofClass.reduce((sum, { used }) => sum + used, 0);
}

function matches(one: ConsumerRecord, wanted: ConsumerCondition): boolean {
  return (
    (wanted.projectId ?? one.projectId) === one.projectId &&
    (wanted.userId ?? one.userId) === one.userId &&
    (wanted.consumerType === undefined || wanted.consumerType === one.consumerType) &&
    (wanted.ids?.has(one.id) ?? true) &&
    !wanted.exceptIds?.has(one.id) &&
    (wanted.classId == null || usedBy(one, wanted.classId) !== null)
  );
}

function placeOf(one: ConsumerRecord, order: readonly ConsumerKey[]): SortPlace {
  const { id, updatedAt, expiresAt, projectId, userId, consumerType: type } = one;
  return [
    ...order.map(({ field, classId: wanted }): SortKey => {
      const values = { age: id, updatedAt, expiresAt, projectId, userId };
      return field === 'used' ? usedBy(one, wanted!) : field === 'type' ? type : values[field];
    }),
    id,
  ];
}

test('pages and counts equal those of a sorted list', async () => {
  let found = 0;
  await assertEnough(
    fc.property(steps, condition, keys, small(4), (given, wanted, order, limit) => {
      const { table, plain } = tableAfter(given);
      const directions = [...order.map(({ isDescending }) => isDescending), false];
      const sorted = [...plain.values()]
        .filter((one) => matches(one, wanted))
        .map((one) => ({ item: one.id, place: placeOf(one, order) }))
        .sort((one, other) => comparePlaces(one.place, other.place, directions));
      expect(table.count(wanted)).toBe(sorted.length);
      found += sorted.length;

      const pages: typeof sorted = [];
      for (let after: SortPlace | null = null; ;) {
        const page = table.page(wanted, order, { after, limit });
        pages.push(...page);
        if (page.length < limit) break;
        after = page[page.length - 1].place;
      }
      expect(pages).toEqual(sorted);
      const last = table.page(wanted, order, { backwards: true, limit });
      expect(last).toEqual(sorted.slice(-limit).reverse());
      const names = ['b', 'INSTANCE', 'unknown'];
      for (const by of ['projectId', 'userId', 'consumerType'] as const)
        expect(table.pages({ owner: by, names, condition: wanted }, order, { limit })).toEqual(
          names.map((name) => sorted.filter(({ item }) => plain.get(item)![by] === name).slice(0, limit)),
        );
    }),
    { numRuns: cases(800, 300) },
    () => found > 150,
  );
});

test('sums of projects and users, and the consumers on providers, equal those of a plain list', () => {
  fc.assert(
    fc.property(steps, fc.uniqueArray(small(4)), (given, providers) => {
      const { table, plain } = tableAfter(given);
      const all = [...plain.values()];
      const sums = (by: ConsumerOwner, amountOf: (one: ConsumerRecord) => number): Map<string, number> => {
        const byOwner = new Map<string, number>();
        for (const one of all) byOwner.set(one[by] ?? '', (byOwner.get(one[by] ?? '') ?? 0) + amountOf(one));
        return byOwner;
      };
      for (const by of ['projectId', 'userId'] as const) {
        expect(table.countsOf(by)).toEqual(sums(by, () => 1));
        for (const wanted of [0, 1, 2])
          expect(table.usesOf(by, wanted)).toEqual(sums(by, (one) => usedBy(one, wanted) ?? 0));
      }
      const holders = all.filter(({ allocations }) =>
        allocations.some(({ providerId }) => providers.includes(providerId)),
      );
      expect(new Set(table.consumersOn(new Set(providers)))).toEqual(new Set(holders.map(({ id }) => id)));
    }),
    { numRuns: cases(400, 150) },
  );
});

test('allocations reach their consumers in any order, and no other text leads to a consumer', () => {
  const NIL = '00000000-0000-0000-0000-000000000000';
  const uuids = ['a1', 'a2', 'a3', 'a4'].map((start) => `${start}${NIL.slice(2)}`);
  const properties = { projectId: 'p', userId: 'u', consumerType: null, updatedAt: null };
  const table = new ConsumerTable();
  for (const [at, text] of uuids.entries()) table.add(text, { ...properties, id: at + 1 });
  table.remove(2);
  const usesOf = (texts: readonly string[]): (string | number | null)[] => {
    const reader = table.reading([0]);
    for (const [at, text] of texts.entries()) reader.addUse(text, 0, 10 + at);
    reader.end();
    const order = [{ field: 'used', classId: 0, isDescending: false }] as const;
    return table.page({}, order, { limit: 9 }).map(({ place: [used] }) => used);
  };
  const [one, two, three, four] = uuids;
  expect(usesOf([one, two, NIL, three, four])).toEqual([10, 13, 14]);
  expect(usesOf([four, one, three])).toEqual([10, 11, 12]);
  // the low byte of this letter is that of 0
  expect(usesOf([one, three.replace('0', '\u0130'), 'x'.repeat(36)])).toEqual([10, null, null]);
});

test('a table holds numbers, and no object for a consumer or allocation', () => {
  const consumers = 50_000;
  const allocations = [0, 1, 2].map((classId) => ({ providerId: 1, classId, used: 4 }));
  const before = memory();
  const table = new ConsumerTable({ consumers, allocations: null });
  table.reading([0]).end();
  for (let id = 1; id <= consumers; id++) {
    const text = `a0000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
    const names = { projectId: `project-${id % 9}`, userId: 'u', consumerType: 'INSTANCE' };
    table.set({ id, texts: [text], ...names, updatedAt: id, expiresAt: null, allocations });
  }
  const after = memory();
  expect(after.heapUsed - before.heapUsed).toBeLessThan(10 * consumers);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100 * consumers);
  expect(table.count({ classId: 0 })).toBe(consumers);
});

function memory(): NodeJS.MemoryUsage {
  collectGarbage();
  return process.memoryUsage();
}
