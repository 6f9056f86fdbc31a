import type { Random } from '../oracle/random.js';
import { amounts } from '../support/claims.js';
import { checkDistinct, checkRequest, refuseIf, Refused } from './checks.js';
import type { Inputs, RequestInput } from './inputs.js';
import { CONSUMERS, type RandomInputs } from './randomInputs.js';
import { drawRequest, inputOf } from './requests.js';
import { COUNTER, partsOf, type ModelConsumer, type State } from './state.js';

type Amount = RequestInput['groups'][number]['resources'][number];

/** Changes nothing that the model knows. The consumers are judged in their order. */
export function rememberRequests(state: State, { consumers, request }: Inputs['rememberRequests']): void {
  checkRequest(state, request);
  refuseIf(consumers.length === 0, 'INVALID_INPUT');
  checkDistinct(consumers);
  const wanted = sumsOf(request.groups.flatMap(({ resources }) => resources));
  for (const key of consumers) {
    const consumer = state.consumers.get(key);
    if (consumer === undefined) throw new Refused('NOT_FOUND', { entity: 'CONSUMER', key });
    refuseIf(textOf(sumsOf(amountsOf(consumer))) !== textOf(wanted), 'INVALID_INPUT');
  }
}

function amountsOf({ has }: ModelConsumer): Amount[] {
  return Object.entries(has)
    .map(([key, amount]) => ({ resourceClass: partsOf(key).resourceClass, amount }))
    .filter(({ resourceClass }) => resourceClass !== COUNTER);
}

function sumsOf(all: readonly Amount[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { resourceClass, amount } of all) sums[resourceClass] = (sums[resourceClass] ?? 0) + amount;
  return sums;
}

function textOf(sums: Record<string, number>): string {
  return JSON.stringify(Object.entries(sums).sort());
}

/** Draws mostly one consumer, and its amounts in one group. */
export function drawRemembered({ random, state }: RandomInputs): Inputs['rememberRequests'] {
  const live = [...state.consumers.values()];
  const isLive = live.length > 0 && random.chance(90);
  const uuids = isLive ? live.map(({ uuid }) => uuid) : CONSUMERS;
  const consumers = random.sample(uuids, random.chance(80) ? 1 : random.between(0, 2));
  const [first] = consumers.flatMap((uuid) => state.consumers.get(uuid) ?? []);
  return { consumers, request: first && random.chance(85) ? requestOf(random, first) : other(random, state) };
}

function requestOf(random: Random, consumer: ModelConsumer): RequestInput {
  const resources = amounts(sumsOf(amountsOf(consumer)));
  const group = { resources, requiredTraits: [], forbiddenTraits: [] };
  return { groups: [{ ...group, suffix: random.pick(['', '_G']) }] };
}

function other(random: Random, state: State): RequestInput {
  return random.chance(95) ? inputOf(drawRequest(random, state)) : { groups: [] };
}
