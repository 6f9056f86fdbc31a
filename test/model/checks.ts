import type { AllocationInput, ConsumerInput, InventoryInput, RequestInput } from './inputs.js';
import type { ModelProvider, State } from './state.js';

export const STANDARD_TRAITS = ['HW_CPU_X86_AVX', 'MISC_SHARES_VIA_AGGREGATE'];
export const STANDARD_CLASSES = ['VCPU', 'MEMORY_MB'];

/** A violation in the final state of a reshape: `code provider class consumer`. */
export type Violation = string;

/** The model's error for a mutation, with the parts of the answer besides the code. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(code);
  }
}

export function refuseIf(refused: boolean, code: string, details?: Record<string, unknown>): void {
  if (refused) throw new Refused(code, details);
}

export function isClass({ classes }: State, name: string): boolean {
  return STANDARD_CLASSES.includes(name) || classes.has(name);
}

export function isTrait({ traits }: State, name: string): boolean {
  return STANDARD_TRAITS.includes(name) || traits.has(name);
}

export function checkDistinct(names: readonly string[]): void {
  refuseIf(new Set(names).size < names.length, 'INVALID_INPUT');
}

export function checkName(name: string): void {
  refuseIf(name === '' || name.length > 200, 'INVALID_INPUT');
}

export function checkOffers(state: State, offers: readonly InventoryInput[]): void {
  checkDistinct(offers.map(({ resourceClass }) => resourceClass));
  for (const { resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio } of offers) {
    const isOk =
      isClass(state, resourceClass) &&
      Math.min(total, minUnit, maxUnit, stepSize) >= 1 &&
      reserved >= 0 &&
      reserved <= total &&
      allocationRatio > 0;
    refuseIf(!isOk, 'INVALID_INPUT');
  }
}

export function checkTraits(state: State, names: readonly string[]): void {
  checkDistinct(names);
  refuseIf(!names.every((name) => isTrait(state, name)), 'INVALID_INPUT');
}

export const DAY = 86_400_000;
export const START = Date.now();
/** Times that have passed or are more than 366 days ahead. */
export const IMPOSSIBLE_TIMES = [START - DAY, START + 367 * DAY].map((time) => new Date(time).toISOString());

export function checkExpiries(consumers: readonly { readonly expiresAt: string | null }[]): void {
  refuseIf(
    consumers.some(({ expiresAt }) => expiresAt !== null && IMPOSSIBLE_TIMES.includes(expiresAt)),
    'INVALID_INPUT',
  );
}

export function checkConsumers(state: State, consumers: readonly ConsumerInput[]): void {
  checkDistinct(consumers.map(({ consumer }) => consumer));
  checkExpiries(consumers);
  for (const { type, projectId, userId, allocations } of consumers) {
    refuseIf(projectId === '' || userId === '', 'INVALID_INPUT');
    refuseIf(type !== null && !/^[A-Z0-9_]+$/.test(type), 'INVALID_INPUT');
    checkDistinct(allocations.map(({ resourceProvider }) => resourceProvider));
    for (const allocation of allocations) checkAllocation(state, allocation);
  }
}

export function checkRequest(state: State, { groups }: RequestInput): void {
  refuseIf(groups.length === 0, 'INVALID_INPUT');
  for (const { resources, requiredTraits, forbiddenTraits } of groups) {
    refuseIf(!resources.every(({ resourceClass }) => isClass(state, resourceClass)), 'INVALID_INPUT');
    refuseIf(!resources.every(({ amount }) => amount > 0), 'INVALID_INPUT');
    const traits = [...requiredTraits.flat(), ...forbiddenTraits];
    refuseIf(!traits.every((name) => isTrait(state, name)), 'INVALID_INPUT');
  }
}

function checkAllocation(state: State, { resources }: AllocationInput): void {
  refuseIf(resources.length === 0, 'INVALID_INPUT');
  checkDistinct(resources.map(({ resourceClass }) => resourceClass));
  for (const { resourceClass, amount } of resources) {
    refuseIf(!isClass(state, resourceClass) || amount < 1, 'INVALID_INPUT');
  }
}

export function providerOf({ providers }: State, uuid: string): ModelProvider {
  const provider = providers.get(uuid);
  if (!provider) throw new Refused('NOT_FOUND', { entity: 'RESOURCE_PROVIDER', key: uuid });
  return provider;
}

export function refuseTakenName({ providers }: State, name: string, provider?: ModelProvider): void {
  const isTaken = [...providers.values()].some((each) => each !== provider && each.name === name);
  refuseIf(isTaken, 'DUPLICATE_NAME', { name });
}

/** Rule 58, decision D6. */
export function judgeGeneration({ uuid, generation }: ModelProvider, expected: number): void {
  const details = {
    resourceProviderUuid: uuid,
    expectedGeneration: expected,
    currentGeneration: generation,
  };
  refuseIf(generation !== expected, 'PROVIDER_GENERATION_CONFLICT', details);
}

/** Rule 83. */
export function judgeConsumer({ consumers }: State, input: ConsumerInput): void {
  const { consumer: consumerUuid, generation: expectedGeneration } = input;
  const currentGeneration = consumers.get(consumerUuid)?.generation ?? null;
  const details = { consumerUuid, expectedGeneration, currentGeneration };
  refuseIf(currentGeneration !== expectedGeneration, 'CONSUMER_GENERATION_CONFLICT', details);
}
