import { group } from '../requests.js';
import { requestOf } from '../../src/model/request.js';
import { scrambled, times, type HardCase } from './cases.js';
import type { Inventory, Provider, Tree } from './fleet.js';

const host = (inventories: readonly Inventory[]): Tree => [
  { parent: null },
  ...inventories.map((inventory): Provider => ({ parent: 0, inventories: { CUSTOM_SPACE: inventory } })),
];
const groups = (amounts: readonly number[]): HardCase['request'] =>
  requestOf(amounts.map((amount, at) => group(`_G${at}`, { CUSTOM_SPACE: amount })));

/** Even amounts that add up to 8 times 100. */
const EVEN = scrambled([...times(20, (at) => 20 + 2 * at), 12, 8]);
/**
 * Returns a host whose providers have odd capacities. Even amounts waste one unit of each, although
 * the sum of the capacities equals the request.
 */
const odd = (capacities: readonly number[]): Tree => host(capacities.map((total) => ({ total })));

/** Twelve amounts. Only three amounts can add up to 100, but no three of these do. */
const TRIPLES = [26, 26, 26, 26, 28, 28, 36, 36, 38, 42, 44, 44];

export const AMOUNTS: readonly HardCase[] = [
  {
    family: 'amounts',
    what: '22 even amounts fill 8 providers of odd capacity',
    host: () => odd([99, 99, 99, 99, 101, 101, 101, 101]),
    fitting: odd(times(8, () => 100)),
    request: groups(EVEN),
  },
  {
    family: 'amounts',
    what: '20 amounts of 3 in sums that are multiples of 8',
    host: () => host(times(4, () => ({ total: 16, step: 8 }))),
    fitting: host(times(4, () => ({ total: 24, step: 3 }))),
    request: groups(times(20, () => 3)),
  },
  {
    family: 'amounts',
    what: '12 amounts into 4 providers that they would have to fill',
    host: () => host(times(4, () => ({ total: 100 }))),
    fitting: host([...times(3, () => ({ total: 100 })), { total: 400 }]),
    request: groups(TRIPLES),
  },
  {
    family: 'amounts',
    what: '24 amounts into 8 providers that they would have to fill',
    host: () => host(times(8, () => ({ total: 100 }))),
    fitting: host([...times(7, () => ({ total: 100 })), { total: 400 }]),
    request: groups([...TRIPLES, ...TRIPLES]),
  },
];
