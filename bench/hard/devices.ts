import { group } from '../requests.js';
import { requestOf } from '../../src/model/request.js';
import { scrambled, times, type HardCase } from './cases.js';
import type { Provider, Tree } from './fleet.js';

type Groups = HardCase['request']['groups'];

/** A device that all groups forbid. With it the sum of the free amounts excludes no host. */
const spare: Provider = {
  parent: 0,
  inventories: { CUSTOM_DEVICE: { total: 400 }, CUSTOM_MEMORY: { total: 4_000 } },
  traits: ['CUSTOM_SPARE'],
};
const host = (children: readonly Omit<Provider, 'parent'>[], root: Omit<Provider, 'parent'> = {}): Tree => [
  { parent: null, ...root },
  ...children.map((child): Provider => ({ parent: 0, ...child })),
  spare,
];
const device = (name: string, traits: readonly string[] = [], memory = 0): Groups[number] =>
  group(name, memory === 0 ? { CUSTOM_DEVICE: 1 } : { CUSTOM_DEVICE: 1, CUSTOM_MEMORY: memory }, {
    requiredTraits: traits.length === 0 ? [] : [traits],
    forbiddenTraits: ['CUSTOM_SPARE'],
  });
const one = { CUSTOM_DEVICE: { total: 1 } };
const isolated = (groups: Groups): HardCase['request'] => requestOf(groups, { groupPolicy: 'ISOLATE' });
const alike = (count: number): Groups => times(count, (at) => device(`_D${at}`));

/** Returns a host with `count` devices of one unit. */
const devices = (count: number): Tree => host(times(count, () => ({ inventories: one })));

/** Returns the same host, but each device has another amount of a second class. */
const unlike = (count: number): Tree =>
  host(
    times(count, (at) => ({
      inventories: { CUSTOM_DEVICE: { total: 1 }, CUSTOM_MEMORY: { total: 10 + at } },
    })),
  );

const trait = (at: number): string => `CUSTOM_T${at}`;

/** Returns devices with two consecutive traits each. `last` are the traits of the last device. */
const chained = (count: number, last: readonly string[]): Tree =>
  host([
    ...scrambled(times(count - 1, (at) => ({ inventories: one, traits: [trait(at), trait(at + 1)] }))),
    { inventories: one, traits: last },
  ]);
const ofChain = (count: number): Groups => scrambled(times(count, (at) => device(`_D${at}`, [trait(at)])));

/** Returns a device for each trait, but the last device has the first trait and `last` instead. */
const own = (count: number, last: string): Tree =>
  host(
    times(count, (at) => ({ inventories: one, traits: at === count - 1 ? [trait(0), last] : [trait(at)] })),
    { traits: [trait(count - 1)] },
  );

/** Returns a host with 24 devices of two kinds, of which `seconds` are of the second kind. */
const kinds = (seconds: number): Tree =>
  host(
    scrambled(times(24, (at) => ({ inventories: one, traits: [at < 24 - seconds ? trait(1) : trait(2)] }))),
  );
const anyOf = (count: number, traits: readonly string[], from: number): Groups =>
  times(count, (at) => device(`_K${from + at}`, traits));

/** Returns a host with 11 devices that have one free unit. They differ from host to host. */
const nearlyFull = (at: number): Tree =>
  host(
    times(24, (device) => ({
      inventories: {
        CUSTOM_DEVICE: { total: 2, used: (device * 7 + at) % 24 < 11 ? 1 : 2 },
        CUSTOM_MEMORY: { total: 64, used: (device * 5 + at) % 64 },
      },
    })),
  );

export const DEVICES: readonly HardCase[] = [
  {
    family: 'isolation',
    what: '32 isolated groups on 31 equal devices',
    host: () => devices(31),
    fitting: devices(32),
    request: isolated(alike(32)),
  },
  {
    family: 'isolation',
    what: '32 groups on 31 devices of one unit, no policy',
    host: () => devices(31),
    fitting: devices(32),
    request: requestOf(alike(32)),
  },
  {
    family: 'isolation',
    what: '32 groups with memory on 31 devices that all differ, no policy',
    host: () => unlike(31),
    fitting: unlike(32),
    request: requestOf(times(32, (at) => device(`_D${at}`, [], 1 + (at % 10)))),
  },
  {
    family: 'isolation',
    what: '7 groups of a kind and 17 of any on 24 devices, 6 of that kind, no policy',
    host: () => kinds(6),
    fitting: kinds(7),
    request: requestOf([...anyOf(7, [trait(2)], 0), ...anyOf(17, [trait(1), trait(2)], 7)]),
  },
  {
    family: '256 groups',
    what: '256 isolated groups by trait, one trait at the root only',
    host: () => own(256, trait(1)),
    fitting: own(256, trait(255)),
    request: isolated(times(256, (at) => device(`_D${at}`, [trait(at)]))),
  },
  {
    family: '256 groups',
    what: '256 isolated groups on a chain of devices, one way or none',
    host: () => chained(256, []),
    fitting: chained(256, [trait(0)]),
    request: isolated(ofChain(256)),
  },
  {
    family: '256 groups',
    what: '256 groups on a chain of devices of one unit, no policy',
    host: () => chained(256, []),
    fitting: chained(256, [trait(0)]),
    request: requestOf(ofChain(256)),
  },
  {
    family: '256 groups',
    what: '256 equal groups on 255 devices of one unit, no policy',
    host: () => devices(255),
    fitting: devices(256),
    request: requestOf(alike(256)),
  },
  {
    family: 'nearly full',
    what: '12 groups with memory, 11 devices of one unit left, each host another',
    host: nearlyFull,
    fitting: unlike(24),
    request: requestOf(times(12, (at) => device(`_D${at}`, [], 1 + (at % 3)))),
  },
];
