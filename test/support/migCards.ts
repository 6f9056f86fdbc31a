import {
  migTree,
  profileClass,
  readMigCards,
  type MigCard,
  type MigProfile,
} from '../../src/command/fleetSources/migCards.js';
import type { SourceNode } from '../../src/command/fleetSources/source.js';
import { uuidOf, type Forest, type ProviderRecord } from './forest.js';

export const CARDS = await readMigCards();

/** A profile at a position of a card. */
export interface Placement {
  /** The name, such as `1g.10gb`. */
  readonly profile: string;
  readonly position: number;
  readonly of: MigProfile;
  /** The memory slices as bits. */
  readonly slices: number;
}

export const placementsOf = ({ profiles }: MigCard): Placement[] =>
  Object.entries(profiles).flatMap(([profile, of]) =>
    of.positions.map((position) => ({ profile, position, of, slices: ((1 << of.size) - 1) << position })),
  );

/**
 * Returns the sets of placements that a card can have at a time: no two share a memory slice, and at most one is a +me
 * form. Neither the search nor the engines of the card decide.
 */
export function validStates(card: MigCard): Placement[][] {
  const placements = placementsOf(card);
  const states: Placement[][] = [];
  const grow = (state: Placement[], from: number): void => {
    states.push(state);
    for (let at = from; at < placements.length; at++)
      if (isFree(placements[at], state)) grow([...state, placements[at]], at + 1);
  };
  grow([], 0);
  return states;
}

const isMedia = ({ profile }: Placement): boolean => profile.endsWith('+me');

/** Returns whether a placement can be added to a state. */
export function isFree(placement: Placement, state: readonly Placement[]): boolean {
  return state.every(
    (other) => (other.slices & placement.slices) === 0 && !(isMedia(other) && isMedia(placement)),
  );
}

export const classOf = ({ profile }: Placement): string => profileClass(profile);

/** Returns the name of the provider of a placement on a card of `host`. */
export const partitionName = ({ profile, position }: Placement, card = 0): string =>
  `host-gpu-${card}-${profile}-${position}`;

/** Returns a forest of one host with `count` cards, without allocations. */
export function hostOf(card: MigCard, count: number): Forest {
  const providers: ProviderRecord[] = [];
  const add = ({ name, inventories = {}, children = [] }: SourceNode, parent: string | null): void => {
    const entries = Object.entries(inventories);
    const consumes = entries.flatMap(([resourceClass, { consumes: counters }]) =>
      counters === undefined ? [] : [[resourceClass, counters.map((each) => counterOf(each))] as const],
    );
    providers.push({
      name,
      uuid: uuidOf('provider', name),
      parent,
      inventories: Object.fromEntries(entries.map(([each, { total }]) => [each, inventoryOf(total)])),
      traits: [],
      aggregates: [],
      ...(consumes.length > 0 && { consumes: Object.fromEntries(consumes) }),
    });
    for (const child of children) add(child, name);
  };
  add(migTree(card, 'host', count).root, null);
  return { providers, allocations: [] };
}

const counterOf = (
  given: NonNullable<NonNullable<SourceNode['inventories']>[string]['consumes']>[number],
) => ({
  provider: uuidOf('provider', given.resourceProvider.name),
  resourceClass: given.resourceClass,
  amount: given.amount,
});

const inventoryOf = (total: number) => ({
  total,
  reserved: 0,
  min_unit: 1,
  max_unit: 2147483647,
  step_size: 1,
  allocation_ratio: 1,
});

/** Allocates placements of a card, each to a consumer of its own; without counters if another program wrote them. */
export function withPlaced(
  forest: Forest,
  placed: readonly Placement[],
  { hasCounters = true, card = 0 } = {},
): Forest {
  const allocations = placed.flatMap((placement) => {
    const provider = partitionName(placement, card);
    const consumer = uuidOf('consumer', provider);
    const resourceClass = classOf(placement);
    const own = { consumer, provider, resourceClass, used: 1 };
    const { consumes } = forest.providers.find(({ name }) => name === provider)!;
    const counters = consumes![resourceClass].map((counter) => {
      const { name } = forest.providers.find(({ uuid }) => uuid === counter.provider)!;
      return { consumer, provider: name, resourceClass: counter.resourceClass, used: counter.amount };
    });
    return hasCounters ? [own, ...counters] : [own];
  });
  return { ...forest, allocations: [...forest.allocations, ...allocations] };
}
