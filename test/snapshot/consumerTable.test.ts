import { expect, test } from '@jest/globals';
import type {
  ConsumerCondition,
  ConsumerKey,
  ConsumerOwner,
} from '../../src/domain/listing/consumerFigures.js';
import { comparePlaces, type SortPlace } from '../../src/domain/listing/sortKeys.js';
import {
  ConsumerTable,
  type AllocationRecord,
  type ConsumerRecord,
} from '../../src/snapshot/consumers/consumerTable.js';
import { expectMoreThan, fc } from '../support/fastCheck.js';

/** A consumer as a list of what it has, for answers that are worked out the obvious way. */
interface Plain extends ConsumerRecord {
  readonly allocations: readonly AllocationRecord[];
}

const small = (max: number) => fc.integer({ min: 1, max });
const allocation = fc.record({ providerId: small(4), classId: small(3), used: small(9) });
const consumer: fc.Arbitrary<Plain> = fc.record({
  id: small(12),
  projectId: small(3),
  userId: small(3),
  typeId: fc.option(small(2)),
  allocations: fc.array(allocation, { maxLength: 4 }),
});
/** What is put in place of a consumer; or the id of one that goes. */
const step = fc.oneof({ weight: 3, arbitrary: consumer }, { weight: 1, arbitrary: small(12) });
const condition: fc.Arbitrary<ConsumerCondition> = fc.oneof(
  fc.constant({}),
  fc.record({ classId: small(3) }),
  fc.record({ projectId: small(3), typeId: fc.option(small(2)) }),
  fc.record({ userId: small(3), classId: small(3) }),
);
const keys = fc.uniqueArray(fc.record({ classId: fc.option(small(3)), isDescending: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ classId }) => classId,
});

function tableAfter(steps: readonly (Plain | number)[]): { table: ConsumerTable; plain: Map<number, Plain> } {
  const table = new ConsumerTable();
  const plain = new Map<number, Plain>();
  for (const each of steps) {
    const id = typeof each === 'number' ? each : each.id;
    table.remove(id);
    plain.delete(id);
    if (typeof each === 'number') continue;
    table.add(each);
    for (const one of each.allocations) table.allocate(id, one);
    plain.set(id, each);
  }
  return { table, plain };
}

function usedBy({ allocations }: Plain, classId: number): number | null {
  const ofClass = allocations.filter((one) => one.classId === classId);
  return ofClass.length === 0 ? null : ofClass.reduce((sum, { used }) => sum + used, 0);
}

function matches(one: Plain, { projectId, userId, typeId, classId }: ConsumerCondition): boolean {
  return (
    (projectId ?? one.projectId) === one.projectId &&
    (userId ?? one.userId) === one.userId &&
    (typeId === undefined || typeId === one.typeId) &&
    (classId === undefined || usedBy(one, classId) !== null)
  );
}

function placeOf(one: Plain, order: readonly ConsumerKey[]): SortPlace {
  return [...order.map(({ classId }) => (classId === null ? one.id : usedBy(one, classId))), one.id];
}

test('pages, counts and sums are those of the plain list, whatever came and went', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      condition,
      keys,
      small(4),
      (steps, wanted, order, limit) => {
        const { table, plain } = tableAfter(steps);
        const directions = [...order.map(({ isDescending }) => isDescending), false];
        const sorted = [...plain.values()]
          .filter((one) => matches(one, wanted))
          .map((one) => ({ item: one.id, place: placeOf(one, order) }))
          .sort((one, other) => comparePlaces(one.place, other.place, directions));
        expect(table.count(wanted)).toBe(sorted.length);
        found += sorted.length;

        // page by page, forwards and backwards
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
      },
    ),
    { numRuns: 400 },
  );
  expectMoreThan(400, found);
});

test('what projects and users have together, and who has something of a provider', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.uniqueArray(small(4)), (steps, providers) => {
      const { table, plain } = tableAfter(steps);
      const all = [...plain.values()];
      const sums = (owner: ConsumerOwner, figure: (one: Plain) => number): Map<number, number> => {
        const byOwner = new Map<number, number>();
        for (const one of all) byOwner.set(one[owner], (byOwner.get(one[owner]) ?? 0) + figure(one));
        return byOwner;
      };
      for (const owner of ['projectId', 'userId'] as const) {
        expect(table.countsOf(owner)).toEqual(sums(owner, () => 1));
        for (const classId of [1, 2, 3])
          expect(table.usesOf(owner, classId)).toEqual(sums(owner, (one) => usedBy(one, classId) ?? 0));
      }
      const holders = all.filter(({ allocations }) =>
        allocations.some(({ providerId }) => providers.includes(providerId)),
      );
      expect(table.consumersOn(new Set(providers))).toEqual(new Set(holders.map(({ id }) => id)));
    }),
    { numRuns: 400 },
  );
});

test('columns grow with what is in them, and what is given up is used again', () => {
  const table = new ConsumerTable();
  for (let round = 0; round < 3; round++) {
    for (let id = 1; id <= 5000; id++) {
      table.remove(id);
      table.add({ id, projectId: 1, userId: 1, typeId: null });
      table.allocate(id, { providerId: id, classId: 1, used: id + round });
    }
  }
  const [first] = table.page({}, [{ classId: 1, isDescending: true }], { limit: 1 });
  expect(first).toEqual({ item: 5000, place: [5002, 5000] });
  expect(table.usesOf('userId', 1)).toEqual(new Map([[1, (5000 * 5001) / 2 + 2 * 5000]]));
});
