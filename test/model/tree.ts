import {
  checkConsumers,
  checkDistinct,
  checkName,
  checkOffers,
  checkTraits,
  judgeConsumer,
  judgeGeneration,
  refuseIf,
  Refused,
} from './checks.js';
import { changes, checkConsumption, judgeFinal, offersOf, strandedOf, write } from './claims.js';
import type { DesiredInput, Inputs } from './inputs.js';
import { childrenOf, isBelow, type ModelProvider, type State } from './state.js';
import { offerOf } from './nextGenerations.js';

interface Wish {
  desired: DesiredInput;
  above: DesiredInput | null;
}

/** Returns the key of a new provider without a uuid, until the answer contains its uuid. */
export function placeholder(name: string): string {
  return `new:${name}`;
}

/** Matches the desired tree with the stored one, edits it in place, and then checks the result. */
export function applyProviderTree(state: State, { root, allocations }: Inputs['applyProviderTree']): void {
  const before = structuredClone(state);
  const wishes = flatten(root, null);
  checkWishes(state, wishes);
  if (allocations) checkConsumers(state, allocations);
  const matched = match(state, wishes);

  const created = new Set<ModelProvider>();
  for (const { desired } of wishes) {
    if (matched.has(desired)) continue;
    refuseIf(desired.uuid === null && desired.generation !== null, 'INVALID_INPUT');
    const made = blank(desired);
    created.add(made);
    matched.set(desired, made);
  }
  const known = new Set([...state.providers.keys(), ...[...created].map(({ uuid }) => uuid)]);
  for (const each of allocations ?? []) {
    for (const { resourceProvider: key } of each.allocations) {
      refuseIf(!known.has(key), 'NOT_FOUND', { entity: 'RESOURCE_PROVIDER', key });
    }
  }
  edit(state, wishes, matched);
  const names = [...state.providers.values()].map(({ name }) => name);
  refuseIf(new Set(names).size < names.length, 'DUPLICATE_NAME');
  judgeGenerations(before, state, wishes, matched);
  for (const input of allocations ?? []) if (changes(state, input)) judgeConsumer(before, input);
  if (allocations) {
    write(state, allocations);
    judgeFinal(before, state, allocations);
    return;
  }
  checkConsumption(before, state);
  const consumers = [...new Set(strandedOf(state, []).map((violation) => violation.split(' ')[3]))].sort();
  refuseIf(consumers.length > 0, 'RESHAPE_NEEDED', { consumers });
}

function flatten(desired: DesiredInput, above: DesiredInput | null): Wish[] {
  return [{ desired, above }, ...(desired.children ?? []).flatMap((child) => flatten(child, desired))];
}

function checkWishes(state: State, wishes: readonly Wish[]): void {
  checkDistinct(wishes.flatMap(({ desired }) => desired.uuid ?? []));
  checkDistinct(wishes.map(({ desired }) => desired.name));
  for (const { desired } of wishes) {
    checkName(desired.name);
    checkOffers(state, desired.inventories ?? []);
    checkTraits(state, desired.traits ?? []);
    checkDistinct(desired.aggregates ?? []);
  }
}

/**
 * Matches providers by uuid anywhere. The root also matches by the name of a root. Others also
 * match by name within the trees that are matched so far.
 */
function match(state: State, wishes: readonly Wish[]): Map<DesiredInput, ModelProvider> {
  const matched = new Map<DesiredInput, ModelProvider>();
  for (const { desired } of wishes) {
    const stored = desired.uuid === null ? undefined : state.providers.get(desired.uuid);
    if (stored) matched.set(desired, stored);
  }
  const [{ desired: root }] = wishes;
  refuseIf((matched.get(root)?.parent ?? null) !== null, 'INVALID_INPUT');
  const isFree = (each: ModelProvider): boolean => ![...matched.values()].includes(each);
  const all = [...state.providers.values()];
  if (root.uuid === null) {
    const named = all.find((each) => each.parent === null && each.name === root.name && isFree(each));
    if (named) matched.set(root, named);
  }
  const tops = [...matched.values()];
  const within = all.filter((each) => tops.some((top) => isBelow(state, each.uuid, top.uuid)));
  for (const { desired, above } of wishes) {
    if (desired.uuid !== null || above === null) continue;
    const named = within.find((each) => each.name === desired.name && isFree(each));
    if (named) matched.set(desired, named);
  }
  return matched;
}

function blank({ uuid, name }: DesiredInput): ModelProvider {
  return {
    uuid: uuid ?? placeholder(name),
    name,
    generation: 0,
    parent: null,
    inventories: {},
    traits: [],
    aggregates: [],
  };
}

function edit(state: State, wishes: readonly Wish[], matched: Map<DesiredInput, ModelProvider>): void {
  const stated = new Set([...matched.values()].map(({ uuid }) => uuid));
  const gone: string[] = [];
  const remove = (uuid: string): void => {
    gone.push(uuid);
    for (const child of childrenOf(state, uuid)) if (!stated.has(child.uuid)) remove(child.uuid);
  };
  for (const { desired } of wishes) {
    if (desired.children === null) continue;
    for (const child of childrenOf(state, matched.get(desired)!.uuid)) {
      if (!stated.has(child.uuid)) remove(child.uuid);
    }
  }
  for (const { desired, above } of wishes) {
    const each = matched.get(desired)!;
    state.providers.set(each.uuid, each);
    each.name = desired.name;
    each.parent = above && matched.get(above)!.uuid;
    if (desired.inventories) each.inventories = offersOf(desired.inventories);
    if (desired.traits) each.traits = [...desired.traits];
    if (desired.aggregates) each.aggregates = [...desired.aggregates];
    for (const aggregate of desired.aggregates ?? []) state.aggregates.add(aggregate);
  }
  for (const uuid of gone) state.providers.delete(uuid);
}

function judgeGenerations(
  before: State,
  after: State,
  wishes: readonly Wish[],
  matched: Map<DesiredInput, ModelProvider>,
): void {
  for (const { desired } of wishes) {
    const { generation: expectedGeneration } = desired;
    if (expectedGeneration === null) continue;
    const { uuid } = matched.get(desired)!;
    const stored = before.providers.get(uuid);
    if (!stored) {
      const details = { resourceProviderUuid: uuid, expectedGeneration, currentGeneration: null };
      throw new Refused('PROVIDER_GENERATION_CONFLICT', details);
    }
    if (offerOf(stored) !== offerOf(after.providers.get(uuid)!)) judgeGeneration(stored, expectedGeneration);
  }
}
