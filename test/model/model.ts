import type { Candidate } from '../support/answers.js';
import {
  isClass,
  isTrait,
  providerOf,
  refuseIf,
  Refused,
  STANDARD_CLASSES,
  STANDARD_TRAITS,
} from './checks.js';
import { claim } from './claim.js';
import { deleteConsumer, reshape, setAllocations } from './claims.js';
import { confirmConsumers, extendConsumers } from './holds.js';
import type { Command, Field, Inputs } from './inputs.js';
import { setNextGenerations } from './nextGenerations.js';
import {
  deleteAggregates,
  deleteResourceProviders,
  nameAggregate,
  unsetAllocations,
  updateAggregateMembers,
} from './patches.js';
import { pruneQuotas, setQuotas } from './quotas.js';
import { rememberRequests } from './remembered.js';
import { countsChanges, setRestGenerations } from './rest.js';
import { childrenOf, usersOf, type ModelProvider, type State } from './state.js';
import { applyProviderTree } from './tree.js';
import { createResourceProvider, updateResourceProvider } from './updates.js';

/** The expected answer of a mutation and the state after it. An error changes nothing. */
export type Prediction =
  /** `intended` is the state after the mutation. A dry run only reports it. */
  | { readonly refused: null; readonly state: State; readonly intended: State }
  | { readonly refused: Refused; readonly state: State };

/** `given` are the candidates that the server returned, if the choice is its own. */
export function predict(
  state: State,
  command: Command,
  given: readonly Candidate[] = [],
  via: 'GRAPHQL' | 'REST' = 'GRAPHQL',
): Prediction {
  const after = structuredClone(state);
  try {
    const rule = RULES[command.field] as Rule<Command['input']>;
    rule(after, command.input, given);
  } catch (error) {
    if (error instanceof Refused) return { refused: error, state };
    throw error;
  }
  pruneQuotas(after);
  if (via === 'GRAPHQL' || countsChanges(command)) setNextGenerations(state, after);
  else setRestGenerations(state, after, command);
  const isDry = 'dryRun' in command.input && command.input.dryRun;
  return { refused: null, state: isDry ? state : after, intended: after };
}

type Rule<I> = (state: State, input: I, given: readonly Candidate[]) => void;

/**
 * The rule of every mutation of the schema. Each rule edits the state, and checks errors in their
 * order of precedence. Generations are set afterwards.
 */
const RULES: { readonly [F in Field]: Rule<Inputs[F]> } = {
  createResourceProvider,
  updateResourceProvider,
  deleteResourceProvider(state, { resourceProvider: uuid }) {
    providerOf(state, uuid);
    const details = { resourceProviderUuid: uuid };
    refuseIf(childrenOf(state, uuid).length > 0, 'PROVIDER_HAS_CHILDREN', details);
    refuseIf(usersOf(state, uuid).length > 0, 'PROVIDER_IN_USE', details);
    state.providers.delete(uuid);
  },
  deleteResourceProviders,
  nameAggregate,
  updateAggregateMembers,
  deleteAggregates,
  createTrait({ traits }, { name }) {
    refuseIf(!isCustom(name), 'INVALID_INPUT');
    traits.add(name);
  },
  deleteTrait(state, { name }) {
    refuseIf(!isTrait(state, name), 'NOT_FOUND', { entity: 'TRAIT', key: name });
    refuseIf(STANDARD_TRAITS.includes(name), 'STANDARD_IS_IMMUTABLE', { name });
    refuseIf(
      isOnAny(state, ({ traits }) => traits.includes(name)),
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
    refuseIf(
      isOnAny(state, ({ inventories }) => name in inventories),
      'RESOURCE_CLASS_IN_USE',
      { name },
    );
    state.classes.delete(name);
  },
  setQuotas,
  setAllocations,
  deleteConsumer,
  unsetAllocations,
  extendConsumers,
  confirmConsumers,
  reshape,
  claim,
  rememberRequests,
  applyProviderTree,
};

function isOnAny({ providers }: State, test: (provider: ModelProvider) => boolean): boolean {
  return [...providers.values()].some(test);
}

function isCustom(name: string): boolean {
  return /^CUSTOM_[A-Z0-9_]+$/.test(name);
}
