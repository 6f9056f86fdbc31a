import { Random } from '../oracle/random.js';
import { drawClaim } from './claim.js';
import { drawReshape, drawSetAllocations } from './randomClaims.js';
import { drawAggregateMembers, drawAggregateName, drawUnset, drawUpdate } from './randomPatches.js';
import { drawTree } from './randomTree.js';
import { drawConfirmation, drawExtension } from './holds.js';
import type { Command, Field, Inputs } from './inputs.js';
import { AGGREGATES, RandomInputs, CLASSES, CONSUMERS, PROVIDERS, TRAITS } from './randomInputs.js';
import { drawQuotas } from './quotas.js';
import { drawRemembered } from './remembered.js';
import { childrenOf, COUNTER, usersOf, type State } from './state.js';

export type Read = 'WHOLE' | 'CANDIDATES' | 'TREE' | 'USAGES';

/** The steps that are no mutation. EXPIRY lets a consumer end by itself. */
type Other = Read | 'EXPIRY';

/** The relative frequency of each kind of step. */
const WEIGHTS: Readonly<Record<Field | Other, number>> = {
  createResourceProvider: 9,
  updateResourceProvider: 44,
  deleteResourceProvider: 3,
  deleteResourceProviders: 2,
  nameAggregate: 2,
  updateAggregateMembers: 4,
  deleteAggregates: 2,
  createTrait: 3,
  deleteTrait: 2,
  createResourceClass: 4,
  deleteResourceClass: 2,
  setQuotas: 5,
  setAllocations: 22,
  deleteConsumer: 4,
  unsetAllocations: 4,
  extendConsumers: 3,
  confirmConsumers: 3,
  reshape: 9,
  claim: 10,
  rememberRequests: 3,
  applyProviderTree: 14,
  WHOLE: 2,
  CANDIDATES: 5,
  TREE: 3,
  USAGES: 2,
  EXPIRY: 1,
};

const KINDS = (Object.entries(WEIGHTS) as [Field | Other, number][]).flatMap(([kind, weight]) =>
  Array.from({ length: weight }, () => kind),
);

export function isOther(kind: Field | Other): kind is Other {
  return kind === kind.toUpperCase();
}

/** Returns the kind of step for a seed. */
export function kindOf(seed: number): Field | Other {
  return new Random(seed).pick(KINDS);
}

/** Returns the mutation for a seed. A seed gives a meaningful mutation in any state. */
export function commandOf(field: Field, seed: number, state: State): Command {
  const choice = new RandomInputs(new Random(seed ^ 0x5eed), state);
  return { field, input: DRAWS[field](choice) } as Command;
}

const DRAWS: { readonly [F in Field]: (choice: RandomInputs) => Inputs[F] } = {
  createResourceProvider(choice) {
    const { random, state } = choice;
    const free = PROVIDERS.filter((uuid) => !state.providers.has(uuid));
    const uuid = random.pick(free.length > 0 && random.chance(92) ? free : PROVIDERS);
    const parent = state.providers.size > 0 && random.chance(60) ? choice.provider() : null;
    return {
      name: choice.name(),
      uuid: random.chance(80) ? uuid : null,
      parent,
      aggregates: random.chance(15) ? choice.aggregates() : [],
      traits: random.chance(15) ? choice.traits() : [],
      inventories: random.chance(30) ? choice.offers() : [],
    };
  },
  updateResourceProvider: drawUpdate,
  deleteResourceProvider(choice) {
    const { state } = choice;
    const isIdle = (uuid: string): boolean =>
      childrenOf(state, uuid).length === 0 && usersOf(state, uuid).length === 0;
    return { resourceProvider: choice.providerThat(({ uuid }) => isIdle(uuid)) };
  },
  deleteResourceProviders(choice) {
    const { random } = choice;
    const resourceProviders = Array.from({ length: random.between(0, 3) }, () => choice.provider());
    return { resourceProviders, recursive: random.chance(60), dryRun: random.chance(15) };
  },
  nameAggregate: drawAggregateName,
  updateAggregateMembers: drawAggregateMembers,
  deleteAggregates: ({ random }) => ({ aggregates: random.some(AGGREGATES, 60) }),
  createTrait: ({ random }) => ({ name: created(random, TRAITS) }),
  deleteTrait: (choice) => ({ name: deleted(choice, TRAITS, choice.state.traits) }),
  createResourceClass: ({ random }) => ({ name: created(random, [...CLASSES, COUNTER]) }),
  deleteResourceClass: (choice) => ({ name: deleted(choice, [...CLASSES, COUNTER], choice.state.classes) }),
  setQuotas: drawQuotas,
  setAllocations: drawSetAllocations,
  deleteConsumer({ random, state }) {
    const live = [...state.consumers.keys()];
    return { consumer: random.pick(live.length > 0 && random.chance(85) ? live : CONSUMERS) };
  },
  unsetAllocations: drawUnset,
  extendConsumers: drawExtension,
  confirmConsumers: drawConfirmation,
  reshape: drawReshape,
  claim: drawClaim,
  rememberRequests: drawRemembered,
  applyProviderTree: drawTree,
};

function created(random: Random, names: readonly string[]): string {
  return random.pick(random.chance(93) ? names.filter((name) => name.startsWith('CUSTOM_')) : names);
}

function deleted(choice: RandomInputs, names: readonly string[], custom: ReadonlySet<string>): string {
  const isCustom = custom.size > 0 && choice.random.chance(85);
  return isCustom ? choice.random.pick([...custom]) : choice.known(names, custom);
}
