import { group } from '../requests.js';
import { requestOf } from '../../src/model/request.js';
import { times, type HardCase } from './cases.js';
import type { Provider, Tree } from './fleet.js';

const together = (...groups: string[]): HardCase['request']['sameSubtree'][number] => ({
  groups,
  except: [],
});
const amount = (name: string): Provider['inventories'] => ({ [name]: { total: 4 } });

/**
 * Returns two chains of `depth` providers below a root. One has A, the other B. All providers of
 * the chains have the trait of the top. The root has it if `isJoined`.
 */
const chains = (depth: number, isJoined: boolean): Tree => [
  { parent: null, traits: isJoined ? ['CUSTOM_TOP'] : [] },
  ...times(depth, (at): Provider => ({
    parent: at,
    inventories: amount('CUSTOM_A'),
    traits: ['CUSTOM_TOP'],
  })),
  ...times(depth, (at): Provider => ({
    parent: at === 0 ? 0 : depth + at,
    inventories: amount('CUSTOM_B'),
    traits: ['CUSTOM_TOP'],
  })),
];
const belowTop = requestOf(
  [
    group('_A', { CUSTOM_A: 1 }),
    group('_B', { CUSTOM_B: 1 }),
    group('_TOP', {}, { requiredTraits: [['CUSTOM_TOP']] }),
  ],
  { sameSubtree: [together('_A', '_B', '_TOP')] },
);

/**
 * Returns three chains that alternate A and B, B and C, C and D. If `isClosed`, a fourth chain has
 * all four classes.
 */
const links = (depth: number, isClosed: boolean): Tree => {
  const names = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', 'CUSTOM_D'];
  const chain = (from: number, some: readonly string[]): Provider[] =>
    times(depth, (at) => ({
      parent: at === 0 ? 0 : from + at - 1,
      inventories: amount(some[at % some.length]),
    }));
  return [
    { parent: null },
    ...chain(1, [names[0], names[1]]),
    ...chain(1 + depth, [names[1], names[2]]),
    ...chain(1 + 2 * depth, [names[2], names[3]]),
    ...(isClosed ? chain(1 + 3 * depth, names) : []),
  ];
};
const ring = requestOf(
  ['A', 'B', 'C', 'D'].map((name) => group(`_${name}`, { [`CUSTOM_${name}`]: 1 })),
  { sameSubtree: [together('_A', '_B'), together('_B', '_C'), together('_C', '_D')] },
);

/** Returns a tree with NICs. `ports` are the numbers of ports of one unit per NIC. */
const nics = (ports: readonly number[]): Tree => {
  const tree: Provider[] = [{ parent: null }];
  for (const count of ports) {
    const nic = tree.push({ parent: 0, traits: ['CUSTOM_NIC'] }) - 1;
    for (let port = 0; port < count; port++)
      tree.push({ parent: nic, inventories: { CUSTOM_PORT: { total: 1 } } });
  }
  return tree;
};
const ports = (count: number): HardCase['request']['groups'] =>
  times(count, (at) => group(`_P${at}`, { CUSTOM_PORT: 1 }));
const onOneNic = (count: number, isIsolated: boolean): HardCase['request'] =>
  requestOf([...ports(count), group('_NIC', {}, { requiredTraits: [['CUSTOM_NIC']] })], {
    sameSubtree: [together('_NIC', ...times(count, (at) => `_P${at}`))],
    groupPolicy: isIsolated ? 'ISOLATE' : 'NONE',
  });

export const SUBTREES: readonly HardCase[] = [
  {
    family: 'same subtree',
    what: 'A and B below one top, 2 chains 50 deep',
    host: () => chains(50, false),
    fitting: chains(50, true),
    request: belowTop,
  },
  {
    family: 'same subtree',
    what: 'A and B below one top, 2 chains 500 deep',
    host: () => chains(500, false),
    fitting: chains(500, true),
    request: belowTop,
  },
  {
    family: 'same subtree',
    what: 'A with B, B with C, C with D on 3 chains 60 deep',
    host: () => links(60, false),
    fitting: links(60, true),
    request: ring,
  },
  {
    family: 'same subtree',
    what: '16 ports below one of 62 NICs with 15 each: 1,000 children',
    host: () => nics(times(62, () => 15)),
    fitting: nics([...times(61, () => 15), 16]),
    request: onOneNic(16, false),
  },
  {
    family: 'same subtree',
    what: '16 isolated ports below one of 62 NICs with 15 each',
    host: () => nics(times(62, () => 15)),
    fitting: nics([...times(61, () => 15), 16]),
    request: onOneNic(16, true),
  },
  {
    family: 'same subtree',
    what: '8 ports below a NIC, 9 outside of it, 2 NICs of 8',
    host: () => nics([8, 8]),
    fitting: nics([8, 9]),
    request: requestOf([...ports(17), group('_NIC', {}, { requiredTraits: [['CUSTOM_NIC']] })], {
      sameSubtree: [
        { groups: ['_NIC', ...times(8, (at) => `_P${at}`)], except: times(9, (at) => `_P${at + 8}`) },
      ],
    }),
  },
];
