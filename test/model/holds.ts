import type { Random } from '../oracle/random.js';
import {
  checkDistinct,
  checkExpiries,
  DAY,
  IMPOSSIBLE_TIMES as IMPOSSIBLE,
  refuseIf,
  Refused,
  START,
} from './checks.js';
import { HANDED_OVER as ALWAYS_CHANGED } from './nextGenerations.js';
import type { Inputs } from './inputs.js';
import { CONSUMERS, type RandomInputs } from './randomInputs.js';
import type { State } from './state.js';

const TIMES = [1, 2, 3].map((days) => new Date(START + DAY * days + days).toISOString());

export function drawExpiry(random: Random): string | null {
  if (random.chance(80)) return null;
  return random.pick(random.chance(97) ? TIMES : IMPOSSIBLE);
}

export function extendConsumers(state: State, { consumers }: Inputs['extendConsumers']): void {
  refuseIf(consumers.length === 0, 'INVALID_INPUT');
  checkDistinct(consumers.map(({ consumer }) => consumer));
  checkExpiries(consumers);
  change(state, consumers);
}

export function confirmConsumers(state: State, { consumers }: Inputs['confirmConsumers']): void {
  refuseIf(consumers.length === 0, 'INVALID_INPUT');
  checkDistinct(consumers.map(({ consumer }) => consumer));
  change(state, consumers);
}

/** The generations rise even if the times are the same. */
function change(
  state: State,
  inputs: readonly { readonly consumer: string; readonly generation: number; readonly expiresAt?: string }[],
): void {
  for (const { consumer: key } of inputs) {
    const consumer = state.consumers.get(key);
    if (consumer === undefined) throw new Refused('NOT_FOUND', { entity: 'CONSUMER', key });
    refuseIf(consumer.expiresAt === null, 'NOT_FOUND', { entity: 'HOLD', key });
  }
  for (const { consumer: uuid, generation, expiresAt } of inputs) {
    const consumer = state.consumers.get(uuid)!;
    refuseIf(consumer.generation !== generation, 'CONSUMER_GENERATION_CONFLICT', { consumerUuid: uuid });
    consumer.expiresAt = expiresAt ?? null;
    consumer.generation = ALWAYS_CHANGED;
  }
}

export function drawConfirmation({ random, state }: RandomInputs): Inputs['confirmConsumers'] {
  const held = [...state.consumers.values()].filter(({ expiresAt }) => expiresAt !== null);
  const uuids = held.length > 0 && random.chance(85) ? held.map(({ uuid }) => uuid) : CONSUMERS;
  const named = random.sample(uuids, random.chance(97) ? random.between(1, 2) : 0);
  return {
    consumers: named.map((consumer) => {
      const generation = state.consumers.get(consumer)?.generation ?? 1;
      return { consumer, generation: random.chance(94) ? generation : generation + 1 };
    }),
  };
}

export function drawExtension(choice: RandomInputs): Inputs['extendConsumers'] {
  const { random } = choice;
  const { consumers } = drawConfirmation(choice);
  const time = () => random.pick(random.chance(97) ? TIMES : IMPOSSIBLE);
  return { consumers: consumers.map((each) => ({ ...each, expiresAt: time() })) };
}
