import { group } from '../requests.js';
import { requestOf } from '../../src/model/request.js';
import { scrambled, times, type HardCase } from './cases.js';
import type { Inventory, Provider, Tree } from './fleet.js';

const exactly = (amount: number): Inventory => ({ total: amount, min: amount, max: amount });

function host(inventories: readonly Inventory[]): Tree {
  const children = inventories.map((inventory): Provider => ({
    parent: 0,
    inventories: { CUSTOM_PART: inventory },
  }));
  return [{ parent: null }, ...children];
}

const split = (amount: number): HardCase['request'] =>
  requestOf([group('', { CUSTOM_PART: amount }, { canSplit: ['CUSTOM_PART'] })]);

/**
 * Returns a host with 23 devices of even sizes and one of an odd size, all usable only as a whole.
 * An odd sum needs the odd device. With size 601 no other device fits into the rest of 651.
 */
const odd = (size: number): Tree => host([...times(23, (at) => exactly(100 + 2 * at)), exactly(size)]);

/**
 * Returns a host with 40 devices in steps of ten and three of `five`, 7 and 7. With 5 no sum ends
 * in 1, with 4 some do.
 */
const stepped = (five: number): Tree =>
  host([
    ...times(40, (at) => ({ total: 100 + at, min: 10, max: 20 + 10 * (at % 4), step: 10 })),
    ...[five, 7, 7].map(exactly),
  ]);

/**
 * Returns a host with 24 devices whose sizes are near 2^27. All sizes are multiples of 5, but for
 * two with the remainders `rest` and 1. If `rest` is 1, no sum has the remainder 3.
 */
const large = (rest: number): Tree =>
  host([
    ...scrambled(times(22, (at) => exactly(5 * (2 ** 24 + at * at * 9973 + at)))),
    exactly(5 * 2 ** 24 + rest),
    exactly(5 * 2 ** 23 + 1),
  ]);

export const SPLITS: readonly HardCase[] = [
  {
    family: 'splits',
    what: '651 of 23 even devices and an odd one',
    host: () => odd(601),
    fitting: odd(551),
    request: split(651),
  },
  {
    family: 'splits',
    what: '401 of 40 devices in steps of 10 and 5, 7, 7',
    host: () => stepped(5),
    fitting: stepped(4),
    request: split(401),
  },
  {
    family: 'splits',
    what: 'an amount near 2^30 of 24 devices near 2^27',
    host: () => large(1),
    fitting: large(2),
    request: split(5 * (9 * 2 ** 24 + 2 ** 23 + (1 + 4 + 9 + 16 + 25 + 36 + 49) * 9973 + 28) + 3),
  },
];
