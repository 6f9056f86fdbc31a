import {
  checkDistinct,
  checkName,
  checkOffers,
  checkTraits,
  judgeGeneration,
  providerOf,
  refuseIf,
  refuseTakenName,
} from './checks.js';
import { checkConsumption, offersOf } from './claims.js';
import type { Inputs, InventoriesEdit, SetEdit } from './inputs.js';
import { COUNTER, isBelow, usersOf, type ModelProvider, type State } from './state.js';
import { placeholder } from './tree.js';

export function createResourceProvider(state: State, input: Inputs['createResourceProvider']): void {
  const { name, uuid, parent, aggregates, traits, inventories } = input;
  checkName(name);
  checkDistinct(aggregates);
  checkTraits(state, traits);
  checkOffers(state, inventories);
  if (parent !== null) providerOf(state, parent);
  refuseTakenName(state, name);
  refuseIf(state.providers.has(uuid ?? ''), 'DUPLICATE_UUID', { uuid });
  const key = uuid ?? placeholder(name);
  const offers = offersOf(inventories);
  state.providers.set(key, {
    uuid: key,
    name,
    parent,
    generation: 0,
    inventories: offers,
    traits,
    aggregates,
  });
  for (const aggregate of aggregates) state.aggregates.add(aggregate);
}

/**
 * Applies all parts in one step. It reports the first error in the order of the vocabulary.
 * Otherwise it makes every edit in the order of the input. A move ignores allocations, traits and
 * aggregates (rule 44).
 */
export function updateResourceProvider(state: State, input: Inputs['updateResourceProvider']): void {
  const { resourceProvider: uuid, generation, name, parent, aggregates, traits, inventories } = input;
  refuseIf(
    [name, parent, aggregates, traits, inventories].every((edit) => edit === null),
    'INVALID_INPUT',
  );
  if (name !== null) checkName(name);
  const isRoot = parent !== null && typeof parent === 'object';
  refuseIf(isRoot && !parent.none, 'INVALID_INPUT');
  if (aggregates) checkSetEdit(aggregates, checkDistinct);
  if (traits) checkSetEdit(traits, (names) => checkTraits(state, names));
  if (inventories) checkInventoriesEdit(state, inventories);

  const provider = providerOf(state, uuid);
  const above = isRoot ? null : parent;
  if (above !== null) providerOf(state, above);
  for (const key of [...(inventories?.patch ?? []).map(classOf), ...(inventories?.remove ?? [])])
    refuseIf(!(key in provider.inventories), 'NOT_FOUND', { entity: 'INVENTORY', key });
  if (name !== null) refuseTakenName(state, name, provider);
  refuseIf(isBelow(state, above, uuid), 'ILLEGAL_REPARENT', { resourceProviderUuid: uuid });
  if (generation !== null) judgeGeneration(provider, generation);

  provider.name = name ?? provider.name;
  if (parent !== null) provider.parent = above;
  if (aggregates) provider.aggregates = edited(provider.aggregates, aggregates);
  for (const aggregate of aggregates?.set ?? aggregates?.add ?? []) state.aggregates.add(aggregate);
  if (traits) provider.traits = edited(provider.traits, traits);
  const before = structuredClone(state);
  if (inventories) editInventories(state, provider, inventories);
  const isConsumed = Object.values(provider.inventories).some(({ consumes }) => consumes > 0);
  refuseIf(isConsumed && !(COUNTER in provider.inventories), 'CONSUMPTION_IN_USE');
  checkConsumption(before, state);
}

const classOf = ({ resourceClass }: { resourceClass: string }): string => resourceClass;

function checkSetEdit(edit: SetEdit, check: (members: string[]) => void): void {
  checkFields(edit);
  for (const members of Object.values(edit) as string[][]) check(members);
  refuseIf(
    (edit.add ?? []).some((member) => edit.remove?.includes(member)),
    'INVALID_INPUT',
  );
}

function checkFields(edit: SetEdit | InventoriesEdit): void {
  const count = Object.keys(edit).length;
  refuseIf(count === 0 || (edit.set !== undefined && count > 1), 'INVALID_INPUT');
}

const FITTING = {
  total: 2147483647,
  reserved: 0,
  minUnit: 1,
  maxUnit: 1,
  stepSize: 1,
  allocationRatio: 1,
  consumes: 0,
};

function checkInventoriesEdit(state: State, edit: InventoriesEdit): void {
  checkFields(edit);
  const { set = [], add = [], patch = [], remove = [] } = edit;
  const removed = remove.map((resourceClass) => ({ resourceClass }));
  checkOffers(state, [...set, ...add, ...[...patch, ...removed].map((each) => ({ ...FITTING, ...each }))]);
}

function edited(members: string[], { set, add = [], remove = [] }: SetEdit): string[] {
  return set ?? [...new Set([...members, ...add])].filter((member) => !remove.includes(member));
}

function editInventories(
  state: State,
  { uuid, inventories }: ModelProvider,
  { set, add = [], patch = [], remove = [] }: InventoriesEdit,
): void {
  const removed = set ? Object.keys(inventories).filter((name) => !set.map(classOf).includes(name)) : remove;
  Object.assign(inventories, offersOf(set ?? add));
  for (const { resourceClass, ...fields } of patch) {
    const offer = Object.assign(inventories[resourceClass], fields);
    refuseIf(offer.reserved > offer.total, 'INVALID_INPUT');
  }
  for (const name of removed) {
    refuseIf(usersOf(state, uuid, name).length > 0, 'INVENTORY_IN_USE', { resourceProviderUuid: uuid });
    delete inventories[name];
  }
}
