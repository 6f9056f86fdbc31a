import { expect } from '@jest/globals';
import { canPack, treeOf, wrongOne } from '../oracle/packing.js';
import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { SHARING } from '../support/forest.js';
import { violationsOf, write } from './claims.js';
import {
  checkConsumers,
  checkDistinct,
  checkExpiries,
  checkRequest,
  judgeConsumer,
  refuseIf,
} from './checks.js';
import { drawExpiry } from './holds.js';
import { HANDED_OVER } from './nextGenerations.js';
import { grouped } from './randomClaims.js';
import type { ConsumerInput, Inputs } from './inputs.js';
import { checkQuotas, noQuotas } from './quotas.js';
import { CONSUMERS, PROJECTS, TYPES, USERS, type RandomInputs } from './randomInputs.js';
import { caseOf, drawRequest, inputOf } from './requests.js';
import { COUNTER, forestOf, partsOf, type State } from './state.js';

/**
 * The server chooses the candidate of each consumer. `given` must be valid, and the model adopts
 * it.
 */
export function claim(
  state: State,
  { request, consumers, placement }: Inputs['claim'],
  given: readonly Candidate[],
): void {
  checkExpiries(consumers.flatMap(({ keepOldAs, ...consumer }) => [consumer, keepOldAs ?? consumer]));
  checkRequest(state, request);
  refuseIf(consumers.length === 0, 'INVALID_INPUT');
  const inputs = consumers.map(
    ({ consumer, generation, type, projectId, userId, expiresAt }): ConsumerInput => ({
      ...{ consumer, generation, type, projectId, userId, expiresAt },
      allocations: [],
    }),
  );
  checkConsumers(state, inputs);
  const keepers = checkKept(state, consumers);
  for (const input of [...inputs, ...keepers]) judgeConsumer(state, input);
  const asked = caseOf(request);
  const fits = (left: State): boolean => canPack(forestOf(left), asked, consumers.length, placement);
  refuseIf(!fits(withoutOld(state, consumers)), 'NO_CANDIDATES', { retryable: false });
  // The server may not find a placement that fits only because several consumers keep what they have.
  const isUndecided = consumers.length > 1 && given.length === 0 && !fits(withoutReleased(state, consumers));
  refuseIf(isUndecided, 'NO_CANDIDATES', { retryable: false });
  checkQuotas(state, claimedIn(state, inputs, asked));
  const fleet = forestOf(withoutOld(state, consumers));
  expect(wrongOne(fleet, asked, given)).toBeUndefined();
  const trees = new Set(given.map((candidate) => treeOf(fleet, candidate)));
  if (placement !== 'ANY') expect(trees.size).toBe(placement === 'SAME_TREE' ? 1 : given.length);
  const claims = given.map((candidate, at) => ({ ...inputs[at], allocations: allocationsOf(candidate) }));
  const before = structuredClone(state);
  write(state, [...keptOf(state, consumers, given), ...claims]);
  expect(violationsOf(before, state, claims)).toEqual([]);
  for (const { consumer, keepOldAs } of consumers)
    if (keepOldAs !== null) {
      state.consumers.get(consumer)!.generation = HANDED_OVER;
      state.kept.add(keepOldAs.consumer);
    }
}

/** Returns the state after a claim as quotas count it: wherever the consumers are, they use the amounts of the request. */
function claimedIn(state: State, inputs: readonly ConsumerInput[], { groups }: CaseRequest): State {
  const after = structuredClone(state);
  const resources = groups.flatMap((group) => Object.entries(group.resources ?? {}));
  const sums = new Map<string, number>();
  for (const [name, amount] of resources) sums.set(name, (sums.get(name) ?? 0) + amount);
  const provider = [...state.providers.keys()][0];
  const amounts = Array.from(sums, ([resourceClass, amount]) => ({ resourceClass, amount }));
  write(
    after,
    inputs.map((input) => ({ ...input, allocations: [{ resourceProvider: provider, resources: amounts }] })),
  );
  return after;
}

/** Returns the new consumers that take over the former allocations of others. */
function checkKept(state: State, consumers: Inputs['claim']['consumers']): ConsumerInput[] {
  checkDistinct(
    consumers.flatMap(({ consumer, keepOldAs }) => [consumer, keepOldAs?.consumer ?? consumer + '-']),
  );
  return consumers.flatMap(({ consumer, generation, keepOldAs }) => {
    if (keepOldAs === null) return [];
    refuseIf(generation === null, 'INVALID_INPUT');
    const { projectId = '', userId = '', has = {} } = state.consumers.get(consumer) ?? {};
    return [{ ...keepOldAs, generation: null, projectId, userId, allocations: grouped(Object.entries(has)) }];
  });
}

/** Returns the consumers that keep the former amounts which exceed the new ones; none without such amounts. */
function keptOf(
  state: State,
  consumers: Inputs['claim']['consumers'],
  given: readonly Candidate[],
): ConsumerInput[] {
  return consumers.flatMap(({ consumer, keepOldAs }, at) => {
    if (keepOldAs === null) return [];
    const { projectId, userId, has } = state.consumers.get(consumer)!;
    const left = Object.entries(has).flatMap(([key, amount]): [string, number][] => {
      const { provider, resourceClass } = partsOf(key);
      const rest = amount - (given[at].allocations[provider]?.[resourceClass] ?? 0);
      return rest > 0 && resourceClass !== COUNTER ? [[key, rest]] : [];
    });
    return left.length === 0
      ? []
      : [{ ...keepOldAs, generation: null, projectId, userId, allocations: grouped(left) }];
  });
}

function withoutOld(state: State, named: Inputs['claim']['consumers']): State {
  const left = new Map(state.consumers);
  for (const { consumer } of named) left.delete(consumer);
  return { ...state, consumers: left };
}

/** Returns the state without the allocations of these consumers that no other consumer keeps. */
function withoutReleased(state: State, consumers: Inputs['claim']['consumers']): State {
  const left = new Map(state.consumers);
  for (const { consumer, keepOldAs } of consumers) if (keepOldAs === null) left.delete(consumer);
  return { ...state, consumers: left };
}

function allocationsOf({ allocations }: Candidate): ConsumerInput['allocations'] {
  return Object.entries(allocations).map(([resourceProvider, classes]) => ({
    resourceProvider,
    resources: Object.entries(classes).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));
}

/**
 * Draws mostly new consumers, and some existing ones with their generations. If a provider shares,
 * the tree of a candidate is not visible from outside, so the placement is ANY.
 */
export function drawClaim({ random, state }: RandomInputs): Inputs['claim'] {
  const isShared = [...state.providers.values()].some(({ traits }) => traits.includes(SHARING));
  const free = CONSUMERS.filter((uuid) => !state.consumers.has(uuid));
  const count = random.chance(60) ? 1 : random.chance(97) ? random.between(2, 3) : 0;
  const live = [...state.consumers.keys()];
  const isMove = live.length > 0 && random.chance(40);
  const from = isMove ? (random.chance(70) ? live : CONSUMERS) : free;
  const named = random.sample(from.length > 0 && random.chance(93) ? from : CONSUMERS, count);
  const offered = [...state.providers.values()]
    .flatMap(({ inventories }) => Object.keys(inventories))
    .filter((name) => name !== COUNTER);
  const small = (): CaseRequest => ({
    groups: [{ suffix: '', resources: { [random.pick(offered)]: random.between(1, 2) } }],
  });
  // The model cannot tell a claim above a quota from one that several kept consumers leave undecided.
  const hasLimits = JSON.stringify(state.quotas) !== JSON.stringify(noQuotas());
  const request = offered.length > 0 && random.chance(75) ? small() : drawRequest(random, state);
  return {
    request: random.chance(98) ? inputOf(request) : { groups: [] },
    consumers: named.map((consumer) => ({
      consumer,
      generation: isMove && random.chance(96) ? (state.consumers.get(consumer)?.generation ?? null) : null,
      keepOldAs:
        isMove && (count === 1 || !hasLimits) && random.chance(35)
          ? {
              consumer: random.pick(free.length > 0 && random.chance(90) ? free : CONSUMERS),
              type: 'MIGRATION',
              expiresAt: drawExpiry(random),
            }
          : null,
      type: random.chance(40) ? null : random.pick(TYPES),
      projectId: random.chance(99) ? random.pick(PROJECTS) : '',
      userId: random.pick(USERS),
      expiresAt: drawExpiry(random),
    })),
    placement: isShared ? 'ANY' : random.pick(['ANY', 'SAME_TREE', 'DISTINCT_TREES'] as const),
  };
}
