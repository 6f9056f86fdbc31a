import { expect, test } from '@jest/globals';
import type { TopologyRule } from '../../src/moves/workload/workload.js';
import type { CaseMember } from '../oracle/workload.js';
import { providersOf } from '../support/answers.js';
import { query } from '../support/caseRequests.js';
import { engineWorkload } from '../support/engine.js';
import { aggregate, forest, uuidOf, type Forest } from '../support/forest.js';

const hosts = (sizes: readonly number[]): Forest =>
  forest(sizes.map((size, at) => `H${at} VCPU:${size} @${'RST'[at % 3]}`).join('\n'));

/** A member whose first consumers are on these hosts. The others are new. */
function member(name: string, count: number, on: readonly string[], requests: readonly string[]): CaseMember {
  const present = Array.from({ length: count }, (_, at) =>
    at < on.length ? { [uuidOf('provider', on[at])]: { VCPU: 2 } } : null,
  );
  return { name, count, requests: requests.map(query), placement: 'ANY', present };
}

function placesIn(fleet: Forest, members: CaseMember[], topology: TopologyRule[] = []): string[] {
  const { answer, placed } = engineWorkload(fleet, { members, topology }, { seed: 7 });
  expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true });
  return placed.map(({ candidate }) => providersOf(fleet, candidate).join('+'));
}

const TWO = ['resources=VCPU:2'];
const rule = (kind: TopologyRule['rule'], level: TopologyRule['level']): TopologyRule => ({
  rule: kind,
  level,
  members: ['a'],
  maxSkew: 1,
  allowOutside: false,
});

test('a workload that grows from six replicas to eight moves none', () => {
  const fleet = hosts(Array<number>(12).fill(4));
  const on = ['H3', 'H1', 'H8', 'H5', 'H11', 'H2'];
  const places = placesIn(fleet, [member('a', 8, on, TWO)], [rule('DIFFERENT', { kind: 'TREE' })]);
  expect(places.slice(0, 6)).toEqual(on);
  expect(new Set(places).size).toBe(8);
});

test('staying is more important than fewer domains and a better order', () => {
  const fleet = hosts([8, 8, 8]);
  const racks = { kind: 'AGGREGATES', aggregates: [...'RST'].map(aggregate) } as const;
  const packed = ['resources=VCPU:2&order_by=VCPU:pack'];
  const on = ['H0', 'H1'];
  expect(placesIn(fleet, [member('a', 2, on, packed)], [rule('PACK', racks)])).toEqual(on);
});

test('as few consumers move as the rules require', () => {
  const on = ['H0', 'H0', 'H1'];
  const places = placesIn(hosts([4, 4, 4]), [member('a', 3, on, TWO)], [rule('DIFFERENT', { kind: 'TREE' })]);
  expect([...places].sort()).toEqual(['H0', 'H1', 'H2']);
  expect(places[2]).toBe('H1');
  expect(places.slice(0, 2)).toContain('H0');
});

test('a member keeps the request of its placed consumers; other members prefer their first', () => {
  const fleet = hosts([8, 8]);
  const alternatives = ['resources=VCPU:1', 'resources=VCPU:2'];
  const members = [member('a', 2, ['H0'], alternatives), member('b', 1, [], alternatives)];
  const { answer } = engineWorkload(fleet, { members, topology: [] }, { seed: 1 });
  expect(answer).toMatchObject({
    kind: 'FOUND',
    isOptimal: true,
    members: [
      { alternative: 1, rejected: [{ alternative: 0, isProven: true, isKept: true }] },
      { alternative: 0, rejected: [] },
    ],
  });
});

test('a member uses another request if it cannot keep its own', () => {
  const members = [member('a', 3, ['H0'], ['resources=VCPU:1', 'resources=VCPU:2'])];
  const { answer } = engineWorkload(hosts([3]), { members, topology: [] }, { seed: 1 });
  expect(answer).toMatchObject({ kind: 'FOUND', isOptimal: true, members: [{ alternative: 0 }] });
});
