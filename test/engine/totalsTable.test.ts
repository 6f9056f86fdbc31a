import { expect, test } from '@jest/globals';
import type { Total } from '../../src/search/totals/totals.js';
import { TotalsTable, type TotalsPlace } from '../../src/search/totals/totalsTable.js';
import { fc, SEED } from '../support/fastCheck.js';

const GROUPS = ['a', 'b', 'c', 'd', 'e'];
const PAGE = 2;

/** The usage of VCPU by group. */
type Fleet = Readonly<Record<string, number>>;

function totalsOf(fleet: Fleet): Total[] {
  return Object.entries(fleet)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, used]) => ({
      group,
      resourceClass: 'VCPU',
      capacity: 10,
      used,
      available: 10 - used,
      allowedUsage: 10,
      providers: 1,
      root: null,
    }));
}

/** A reader that applies the pages of each change to its own copy. */
class Reader {
  version = 0;
  change: { readonly to: number; readonly after: TotalsPlace | null } | null = null;
  pages = 0;
  readonly copy = new Map<string, number>();

  constructor(private readonly table: TotalsTable) {}

  get versions(): number[] {
    return [this.version, this.change?.to ?? this.version];
  }

  /** Reads the next page. Returns whether the copy is up to date. */
  read(): boolean {
    this.change ??= { to: this.table.version, after: null };
    const { to, after } = this.change;
    if (to === this.version) return ((this.change = null), true);
    const { rows, next } = this.table.changes({ from: this.version, to }, after, PAGE);
    this.pages++;
    expect(rows.length).toBeLessThanOrEqual(PAGE);
    for (const { group, used, removed } of rows) {
      if (removed === null) this.copy.set(group, used);
      else this.copy.delete(group);
    }
    this.change = next && { to, after: next };
    if (next === null) this.version = to;
    return this.version === this.table.version;
  }
}

test('readers of different versions have the same rows as the table once they have read all pages', () => {
  const fleet = fc.dictionary(fc.constantFrom(...GROUPS), fc.nat(2), { noNullPrototype: true });
  const step = fc.oneof(
    fc.record({ update: fleet }),
    fc.record({ read: fc.nat(2) }),
    fc.record({ join: fc.constant(true) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fleet, (steps, last) => {
      const table = new TotalsTable();
      const readers = [new Reader(table)];
      const update = (next: Fleet): void =>
        table.update(
          totalsOf(next),
          readers.flatMap(({ versions }) => versions),
        );
      update({});
      for (const each of steps) {
        if ('update' in each) update(each.update);
        else if ('read' in each) readers[each.read % readers.length].read();
        else readers.push(new Reader(table));
      }
      update(last);
      for (const reader of readers) {
        while (!reader.read());
        expect(Object.fromEntries(reader.copy)).toEqual(last);
      }
      update(last);
      expect(table.bytes).toBe(Object.keys(last).length * 200);
    }),
    { seed: SEED },
  );
});

test('an update without differences is no version, and only changed rows are read', () => {
  const table = new TotalsTable();
  table.update(totalsOf({ a: 1, b: 1, c: 1 }), [0]);
  table.update(totalsOf({ a: 1, b: 1, c: 1 }), [1]);
  expect(table.version).toBe(1);
  table.update(totalsOf({ a: 1, b: 2, d: 1 }), [1]);
  const { rows, next } = table.changes({ from: 1, to: table.version }, null, 10);
  expect(rows.map(({ group, removed }) => [group, removed])).toEqual([
    ['b', null],
    ['c', 2],
    ['d', null],
  ]);
  expect(next).toBeNull();
});
