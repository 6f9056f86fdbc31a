import type { Candidate } from '../support/answers.js';
import {
  checkDistinct,
  checkName,
  checkOffers,
  checkTraits,
  isClass,
  isTrait,
  judgeGeneration,
  providerOf,
  refuseIf,
  Refused,
  STANDARD_CLASSES,
  STANDARD_TRAITS,
} from './checks.js';
import { claim } from './claim.js';
import { deleteAllocations, offersOf, reshape, setAllocations } from './claims.js';
import type { Command, Field, Inputs } from './inputs.js';
import { setNextGenerations } from './nextGenerations.js';
import {
  addToAggregates,
  addTraits,
  nameAggregate,
  patchInventory,
  removeFromAggregates,
  removeTraits,
  unsetAllocations,
} from './patches.js';
import { childrenOf, isBelow, usersOf, type ModelProvider, type State } from './state.js';
import { applyProviderTree, placeholder } from './tree.js';

/** What a mutation must answer, and the state after it; a refusal leaves everything as it is. */
export type Prediction =
  /** `intended` is the state after, of which a dry run only speaks. */
  | { readonly refused: null; readonly state: State; readonly intended: State }
  | { readonly refused: Refused; readonly state: State };

/** `given` is what the server says that consumers have got, where the choice is its own. */
export function predict(state: State, command: Command, given: readonly Candidate[] = []): Prediction {
  const after = structuredClone(state);
  try {
    const rule = RULES[command.field] as Rule<Command['input']>;
    rule(after, command.input, given);
  } catch (error) {
    if (error instanceof Refused) return { refused: error, state };
    throw error;
  }
  setNextGenerations(state, after);
  const isDry = 'dryRun' in command.input && command.input.dryRun;
  return { refused: null, state: isDry ? state : after, intended: after };
}

type Rule<I> = (state: State, input: I, given: readonly Candidate[]) => void;

/** Every mutation of the schema. Each rule edits the state, in the order of precedence of its refusals; none sees to generations. */
const RULES: { readonly [F in Field]: Rule<Inputs[F]> } = {
  createResourceProvider(state, { name, uuid, parent }) {
    checkName(name);
    if (parent !== null) providerOf(state, parent);
    refuseTakenName(state, name);
    refuseIf(state.providers.has(uuid ?? ''), 'DUPLICATE_UUID', { uuid });
    const made = { name, parent, generation: 0, inventories: {}, traits: [], aggregates: [] };
    const key = uuid ?? placeholder(name);
    state.providers.set(key, { ...made, uuid: key });
  },
  updateResourceProvider(state, { resourceProvider: uuid, generation, name, parent, makeRoot }) {
    if (name !== null) checkName(name);
    refuseIf(makeRoot && parent !== null, 'INVALID_INPUT');
    const provider = providerOf(state, uuid);
    if (parent !== null) providerOf(state, parent);
    if (name !== null) refuseTakenName(state, name, provider);
    refuseIf(isBelow(state, parent, uuid), 'ILLEGAL_REPARENT', { resourceProviderUuid: uuid });
    if (generation !== null) judgeGeneration(provider, generation);
    provider.name = name ?? provider.name;
    provider.parent = makeRoot ? null : (parent ?? provider.parent);
  },
  deleteResourceProvider(state, { resourceProvider: uuid }) {
    providerOf(state, uuid);
    const details = { resourceProviderUuid: uuid };
    refuseIf(childrenOf(state, uuid).length > 0, 'PROVIDER_HAS_CHILDREN', details);
    refuseIf(usersOf(state, uuid).length > 0, 'PROVIDER_IN_USE', details);
    state.providers.delete(uuid);
  },
  setInventories(state, { resourceProvider: uuid, generation, inventories }) {
    checkOffers(state, inventories);
    const provider = providerOf(state, uuid);
    judgeGeneration(provider, generation);
    const offers = offersOf(inventories);
    for (const name of Object.keys(provider.inventories)) {
      refuseIf(!(name in offers) && usersOf(state, uuid, name).length > 0, 'INVENTORY_IN_USE');
    }
    provider.inventories = offers;
  },
  setInventory(state, { resourceProvider: uuid, generation, inventory }) {
    checkOffers(state, [inventory]);
    const provider = providerOf(state, uuid);
    judgeGeneration(provider, generation);
    Object.assign(provider.inventories, offersOf([inventory]));
  },
  patchInventory,
  deleteInventory(state, { resourceProvider: uuid, generation, resourceClass: key }) {
    refuseIf(!isClass(state, key), 'INVALID_INPUT');
    const provider = providerOf(state, uuid);
    refuseIf(!(key in provider.inventories), 'NOT_FOUND', { entity: 'INVENTORY', key });
    judgeGeneration(provider, generation);
    const details = { resourceProviderUuid: uuid, resourceClassName: key };
    refuseIf(usersOf(state, uuid, key).length > 0, 'INVENTORY_IN_USE', details);
    delete provider.inventories[key];
  },
  setTraits(state, { resourceProvider: uuid, generation, traits }) {
    checkTraits(state, traits);
    const provider = providerOf(state, uuid);
    judgeGeneration(provider, generation);
    provider.traits = [...traits];
  },
  setAggregates(state, { resourceProvider: uuid, generation, aggregates }) {
    checkDistinct(aggregates);
    const provider = providerOf(state, uuid);
    judgeGeneration(provider, generation);
    provider.aggregates = [...aggregates];
    for (const aggregate of aggregates) state.aggregates.add(aggregate);
  },
  addTraits,
  removeTraits,
  addToAggregates,
  removeFromAggregates,
  nameAggregate,
  createTrait({ traits }, { name }) {
    refuseIf(!isCustom(name), 'INVALID_INPUT');
    traits.add(name);
  },
  deleteTrait(state, { name }) {
    refuseIf(!isTrait(state, name), 'NOT_FOUND', { entity: 'TRAIT', key: name });
    refuseIf(STANDARD_TRAITS.includes(name), 'STANDARD_IS_IMMUTABLE', { name });
    const all = [...state.providers.values()];
    refuseIf(
      all.some(({ traits }) => traits.includes(name)),
      'TRAIT_IN_USE',
      { name },
    );
    state.traits.delete(name);
  },
  createResourceClass({ classes }, { name }) {
    refuseIf(!isCustom(name), 'INVALID_INPUT');
    classes.add(name);
  },
  deleteResourceClass(state, { name }) {
    refuseIf(!isClass(state, name), 'NOT_FOUND', { entity: 'RESOURCE_CLASS', key: name });
    refuseIf(STANDARD_CLASSES.includes(name), 'STANDARD_IS_IMMUTABLE', { name });
    const all = [...state.providers.values()];
    refuseIf(
      all.some(({ inventories }) => name in inventories),
      'RESOURCE_CLASS_IN_USE',
      { name },
    );
    state.classes.delete(name);
  },
  setAllocations,
  deleteAllocations,
  unsetAllocations,
  reshape,
  claim,
  applyProviderTree,
};

function isCustom(name: string): boolean {
  return /^CUSTOM_[A-Z0-9_]+$/.test(name);
}

function refuseTakenName({ providers }: State, name: string, provider?: ModelProvider): void {
  const isTaken = [...providers.values()].some((each) => each !== provider && each.name === name);
  refuseIf(isTaken, 'DUPLICATE_NAME', { name });
}
