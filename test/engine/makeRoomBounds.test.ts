import { expect, test } from '@jest/globals';
import { RoomOracle, type RoomCase } from '../oracle/makeRoom.js';
import { allocate } from '../oracle/rebalance.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { forest, uuidOf, type Forest } from '../support/forest.js';
import { roomMade } from './roomMade.js';

interface Mover {
  readonly name: string;
  readonly request: CaseRequest;
  /** The amounts by name of the provider. */
  readonly at: Readonly<Record<string, Record<string, number>>>;
}

const group = (resources: Record<string, number>, more = {}) => ({ suffix: '_1', resources, ...more });

/** Makes each unit of some classes of a host consume one CUSTOM_SLICE of it. */
function consumeSlices({ providers }: Forest, provider: string, host: string, classes: string[]): void {
  const counter = { provider: uuidOf('provider', host), resourceClass: 'CUSTOM_SLICE', amount: 1 };
  const consuming = providers.find(({ name }) => name === provider)!;
  consuming.consumes = Object.fromEntries(classes.map((name) => [name, [counter]]));
}

/** Expects the fewest moves of the oracle, also with no more moves allowed. Null: no moves suffice. */
function expectMoves(
  fleet: Forest,
  movers: readonly Mover[],
  member: { readonly count: number; readonly requests: readonly CaseRequest[] },
  moves: number | null,
): void {
  const consumers = movers.map(({ name, request, at }) => {
    const allocations = Object.fromEntries(
      Object.entries(at).map(([provider, amounts]) => [uuidOf('provider', provider), amounts]),
    );
    allocate(fleet, uuidOf('consumer', name), allocations);
    return { uuid: uuidOf('consumer', name), request, isStated: false, canMove: true, allocations };
  });
  const hosts = fleet.providers.filter(({ parent }) => parent === null).map(({ name }) => name);
  const given = {
    ...{ forest: fleet, consumers, hosts, classes: null, goal: 'FREE_HOSTS', copies: true },
    ...{ held: uuidOf('consumer', 'held'), maxMoves: moves ?? 6 },
    workload: { members: [{ name: 'm', placement: 'ANY', ...member }], topology: [] },
  } as unknown as RoomCase;
  if (movers.length < 5) expect(new RoomOracle(given).leastMoves()).toBe(moves);
  const { answer } = roomMade(given);
  if (moves === null) expect(answer.outcome).toBe('IMPOSSIBLE');
  else expect(answer).toMatchObject({ outcome: 'FOUND', isOptimal: true, moves: { length: moves } });
}

test('one move enters the tree that a request needs, and frees a shared disk in it', () => {
  const fleet = forest(`
    h0  VCPU:4  @A
      d0  DISK_GB:2  @A sharing
    h1  VCPU:4  @A
    s   DISK_GB:4  @A sharing`);
  const request = { groups: [group({ VCPU: 1 }), { suffix: '_2', resources: { DISK_GB: 2 } }] };
  const x = { name: 'x', request, at: { h1: { VCPU: 1 }, d0: { DISK_GB: 2 } } };
  const wanted = { suffix: '', resources: { VCPU: 1, DISK_GB: 1 }, inTree: 'h0' };
  const near = { groups: [wanted], nearConsumers: [uuidOf('consumer', 'x')] };
  expectMoves(fleet, [x], { count: 1, requests: [near] }, 1);
});

test('one move frees two trees: a host, and another one whose shared disk consumes a counter', () => {
  const fleet = forest(`
    h0  VCPU:1 CUSTOM_SLICE:1 @A
      d0  DISK_GB:4  @A sharing
    h1  VCPU:1 MEMORY_MB:1 CUSTOM_SLICE:1 @A
    h2  MEMORY_MB:4 @A
    s   DISK_GB:4  @A sharing`);
  consumeSlices(fleet, 'd0', 'h0', ['DISK_GB']);
  consumeSlices(fleet, 'h0', 'h0', ['VCPU']);
  consumeSlices(fleet, 'h1', 'h1', ['VCPU', 'MEMORY_MB']);
  const request = { groups: [group({ MEMORY_MB: 1 }), { suffix: '_2', resources: { DISK_GB: 1 } }] };
  const x = { name: 'x', request, at: { h1: { MEMORY_MB: 1 }, d0: { DISK_GB: 1 } } };
  expectMoves(fleet, [x], { count: 2, requests: [{ groups: [group({ VCPU: 1 })] }] }, 1);
});

test.each([0, 7])('no move leads back to allocations that lack a counter, beside %i consumers', (count) => {
  const others = Array.from({ length: count }, (_, at) => `y${at}`);
  const fleet = forest(`
    h0  VCPU:40 CUSTOM_SLICE:1
    h1  VCPU:2${others.map((name) => `\n    ${name}  CUSTOM_Y:2`).join('')}`);
  consumeSlices(fleet, 'h0', 'h0', ['VCPU']);
  const request = { groups: [group({ VCPU: 1 })] };
  const movers: Mover[] = [
    { name: 'b', request, at: { h0: { VCPU: 1 } } },
    { name: 'a', request, at: { h1: { VCPU: 1 } } },
    ...others.map((name) => ({
      ...{ name, at: { [name]: { CUSTOM_Y: 1 } } },
      request: { groups: [group({ CUSTOM_Y: 1 })] },
    })),
  ];
  expectMoves(fleet, movers, { count: 1, requests: [{ groups: [group({ VCPU: 2 })] }] }, null);
});
