import { expect, test } from '@jest/globals';
import { treeIndexOf } from '../../src/fleet/snapshot.js';
import { isBroken, type Positions } from '../../src/moves/relations/relation.js';
import { Relations } from '../../src/moves/relations/relations.js';
import { Random } from '../oracle/random.js';
import { snapshotOf } from '../support/engine.js';
import { assertEnough, fc } from '../support/fastCheck.js';
import { forest, uuidOf } from '../support/forest.js';
import { cases } from '../support/length.js';

const HOSTS = ['h0', 'h1', 'h2', 'h3'];
const snapshot = snapshotOf(
  forest([...HOSTS.map((host) => `${host} VCPU:8`), 'disk VCPU:8 sharing'].join('\n')),
);
const numRuns = cases(Number(process.env.PLACEMENT_PROPERTY_RUNS ?? 2000), 500);
const counts = { broken: 0, held: 0, restricted: 0, groups: 0 };

/** The uuids that each consumer names, and the hosts of all consumers: null without a place. */
interface Case {
  readonly away: readonly (readonly number[])[];
  readonly near: readonly (readonly number[])[];
  /** By consumer. The last ones are outside of the problem. */
  readonly hosts: (readonly string[] | null)[];
}

const INSIDE = 5;
const ALL = 7;

function randomCase(random: Random, isComplete: boolean): Case {
  const some = (): number[] =>
    random.chance(35) ? random.sample([...Array(ALL).keys()], random.between(1, 3)) : [];
  const host = (): string[] => random.sample([...HOSTS, 'disk'], random.chance(85) ? 1 : 2);
  return {
    away: Array.from({ length: INSIDE }, some),
    near: Array.from({ length: INSIDE }, some),
    hosts: Array.from({ length: ALL }, (_, at) =>
      at < INSIDE && !isComplete && random.chance(30) ? null : host(),
    ),
  };
}

/** The rule and the consumer of each broken relation, computed from the hosts. */
function naive({ away, near, hosts }: Case): string[] {
  const at = (consumer: number): string[] => (hosts[consumer] ?? []).filter((host) => host !== 'disk');
  const found: string[] = [];
  for (let one = 0; one < INSIDE; one++) {
    for (const other of away[one])
      if (other !== one && at(other).some((host) => at(one).includes(host))) found.push(`AWAY ${one}`);
    const others = near[one].filter((other) => other !== one);
    const mayComeNear = others.some((other) => hosts[other] === null);
    if (
      others.length > 0 &&
      !mayComeNear &&
      !at(one).every((host) => others.some((other) => at(other).includes(host)))
    )
      found.push(`NEAR ${one}`);
  }
  return found.sort();
}

/** Returns the consumers that `near` links to one, directly or through others, in ascending order. */
function linked({ near }: Case, one: number): number[] {
  const group = new Set([one]);
  for (let before = 0; before < group.size;) {
    before = group.size;
    for (const [consumer, others] of near.entries()) {
      const members = [consumer, ...others].filter((each) => each < INSIDE);
      if (members.some((each) => group.has(each))) members.forEach((each) => group.add(each));
    }
  }
  return [...group].sort((a, b) => a - b);
}

function relationsOf({ away, near, hosts }: Case): { relations: Relations; positions: Positions } {
  const uuid = (at: number): string => uuidOf('consumer', `${at}`);
  const uuids = (list: readonly number[]): string[] => list.map(uuid);
  const provider = (name: string): string => uuidOf('provider', name);
  const holdings = new Map(hosts.map((names, at) => [uuid(at), (names ?? []).map(provider)]));
  const consumers = away.map((_, at) => ({
    uuid: uuid(at),
    request: { awayFromConsumers: uuids(away[at]), nearConsumers: uuids(near[at]), holdings },
  }));
  const positions: Positions = (consumer) =>
    hosts[consumer]?.map((name) => {
      const place = snapshot.locate(provider(name))!;
      return { provider: { ...place, treeIndex: treeIndexOf(place) }, resources: [] };
    }) ?? null;
  return { relations: new Relations(snapshot, consumers), positions };
}

test('violated relations are those of a naive check, and the trees for a consumer are those that break none', async () => {
  const law = fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
    const random = new Random(seed);
    const given = randomCase(random, random.chance(50));
    const { relations, positions } = relationsOf(given);
    const expected = naive(given);
    const found = [...relations.broken(positions)].map(({ rule, consumer }) => `${rule} ${consumer}`);
    expect(found.sort()).toEqual(expected);
    counts[expected.length > 0 ? 'broken' : 'held']++;
    const consumer = random.between(0, INSIDE - 1);
    const { away, near } = relations.treesFor(consumer, positions);
    const concerned = [...relations.relationsOf(consumer)];
    if (away.size > 0 || near !== null) counts.restricted++;
    for (const host of HOSTS) {
      const moved = relationsOf({
        ...given,
        hosts: given.hosts.map((one, at) => (at === consumer ? [host] : one)),
      });
      const tree = treeIndexOf(snapshot.locate(uuidOf('provider', host))!);
      const breaksNone = concerned.every((one) => !isBroken(one, moved.positions));
      expect({ host, isAllowed: !away.has(tree) && (near?.has(tree) ?? true) }).toEqual({
        host,
        isAllowed: breaksNone,
      });
      const breaksHeld = concerned.some((one) => isBroken(one, moved.positions) && !isBroken(one, positions));
      expect(relations.breaks(consumer, positions, moved.positions)).toBe(breaksHeld);
    }
    const group = relations.groups.groupOf(consumer);
    expect([...group]).toEqual(linked(given, consumer));
    if (group.length > 1) counts.groups++;
  });
  await assertEnough(
    law,
    { numRuns, endOnFailure: true },
    () => Math.min(...Object.values(counts)) > numRuns / 20,
  );
});
