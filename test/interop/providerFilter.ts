import { amounts } from '../support/claims.js';
import { withReferences } from '../support/references.js';
import { capacity } from '../oracle/capacity.js';
import type { Random } from '../oracle/random.js';
import { AGGREGATES, CLASSES, TRAITS } from '../oracle/randomForest.js';
import { meets, satisfies, type ProviderRelations } from '../oracle/providerRelations.js';
import { aggregate, SHARING, uuidOf, type Forest, type ProviderRecord } from '../support/forest.js';

/** Selects the providers of a list. All given conditions must hold (rule 49). */
export interface ProviderFilter {
  readonly name?: string;
  readonly uuid?: string;
  readonly inTree?: string;
  readonly memberOf?: readonly (readonly string[])[];
  readonly forbiddenAggregates?: readonly string[];
  readonly requiredTraits?: readonly (readonly string[])[];
  readonly forbiddenTraits?: readonly string[];
  readonly resources?: Readonly<Record<string, number>>;
}

export const UNKNOWN_NAME = 'CUSTOM_OF_NOBODY';
const NOWHERE = aggregate('of nobody');
const UNKNOWN = uuidOf('unknown provider', 'nobody');

/** Returns a filter that some provider probably passes. */
export function randomFilter(random: Random, { providers }: Forest): ProviderFilter {
  const able = random.pick(providers);
  const mostly = <T>(percent: number, of: readonly T[], all: readonly T[]): T =>
    random.pick(of.length > 0 && random.chance(percent) ? of : all);
  const anyOf = (owned: readonly string[], all: readonly string[]): string[][] =>
    Array.from({ length: random.pick([1, 1, 2]) }, () => [
      ...new Set([mostly(80, owned, all), ...random.some(all, 20)]),
    ]);
  const { uuid, name, aggregates, traits } = able;
  return {
    ...(random.chance(15) && { name: mostly(80, [name], [name.toUpperCase(), 'nobody', 'p']) }),
    ...(random.chance(10) && { uuid: mostly(80, [uuid], [UNKNOWN, providers[0].uuid]) }),
    ...(random.chance(25) && { inTree: mostly(90, [uuid], [UNKNOWN, providers[0].uuid]) }),
    ...(random.chance(30) && { memberOf: anyOf(aggregates, [...AGGREGATES, NOWHERE]) }),
    ...(random.chance(25) && {
      forbiddenAggregates: [random.pick(AGGREGATES), ...random.some([NOWHERE], 30)],
    }),
    ...(random.chance(30) && { requiredTraits: anyOf(traits, [...TRAITS, SHARING]) }),
    ...(random.chance(25) && {
      forbiddenTraits: random.sample([...TRAITS, SHARING], random.pick([1, 1, 2])),
    }),
    ...(random.chance(40) && { resources: randomAmounts(random, able) }),
    ...(random.chance(2) && { requiredTraits: [[UNKNOWN_NAME, TRAITS[0]]] }),
    ...(random.chance(2) && { resources: { [UNKNOWN_NAME]: 1 } }),
  };
}

/** Sometimes returns the whole capacity. */
function randomAmounts(random: Random, { inventories }: ProviderRecord): Record<string, number> {
  const offered = Object.keys(inventories);
  const some = random.sample(
    offered.length > 0 && random.chance(90) ? offered : CLASSES,
    random.pick([1, 1, 2]),
  );
  return Object.fromEntries(
    some.map((name) => {
      const { min_unit = 1, step_size = 1 } = inventories[name] ?? {};
      const all = inventories[name] === undefined ? 1 : Math.max(1, capacity(inventories[name]));
      return [name, random.pick([1, 1, min_unit, step_size, step_size * 2, random.between(1, 9), all])];
    }),
  );
}

/** Returns whether the filter names an unknown trait or class (rule 55). */
export function namesUnknown({ requiredTraits, resources }: ProviderFilter): boolean {
  return [...(requiredTraits ?? []).flat(), ...Object.keys(resources ?? {})].includes(UNKNOWN_NAME);
}

/** D12: returns whether the reference reads the unknown name. It reads the tree, then traits, aggregates, classes. */
export function comesToUnknown({ providers }: Forest, filter: ProviderFilter): boolean {
  const { inTree, memberOf, requiredTraits } = filter;
  if (inTree !== undefined && !providers.some(({ uuid }) => uuid === inTree)) return false;
  if (requiredTraits?.flat().includes(UNKNOWN_NAME)) return true;
  return (
    providers.some(({ traits }) => satisfies(traits, requiredTraits ?? [])) &&
    providers.some(({ aggregates }) => satisfies(aggregates, memberOf ?? []))
  );
}

/** Rules 51 to 54. */
export function passes(world: ProviderRelations, filter: ProviderFilter, provider: ProviderRecord): boolean {
  const { name, uuid, inTree, memberOf, forbiddenAggregates, requiredTraits, forbiddenTraits, resources } =
    filter;
  const tree = world.providers.find((each) => each.uuid === inTree);
  return (
    (name === undefined || provider.name === name) &&
    (uuid === undefined || provider.uuid === uuid) &&
    (inTree === undefined || (tree !== undefined && world.root(tree) === world.root(provider))) &&
    satisfies(provider.aggregates, memberOf ?? []) &&
    !meets(provider.aggregates, forbiddenAggregates ?? []) &&
    satisfies(provider.traits, requiredTraits ?? []) &&
    !meets(provider.traits, forbiddenTraits ?? []) &&
    Object.entries(resources ?? {}).every(([key, amount]) => world.fits(provider, key, amount))
  );
}

/** Returns the query string of the reference for a filter. */
export function filterQuery(filter: ProviderFilter): string {
  const query = new URLSearchParams();
  if (filter.name !== undefined) query.append('name', filter.name);
  if (filter.uuid !== undefined) query.append('uuid', filter.uuid);
  if (filter.inTree !== undefined) query.append('in_tree', filter.inTree);
  for (const uuids of filter.memberOf ?? []) query.append('member_of', `in:${uuids.join(',')}`);
  if (filter.forbiddenAggregates) query.append('member_of', `!in:${filter.forbiddenAggregates.join(',')}`);
  for (const names of filter.requiredTraits ?? []) query.append('required', `in:${names.join(',')}`);
  for (const name of filter.forbiddenTraits ?? []) query.append('required', `!${name}`);
  if (filter.resources) {
    const parts = Object.entries(filter.resources).map(([key, amount]) => `${key}:${amount}`);
    query.append('resources', parts.join(','));
  }
  return query.toString();
}

/** Returns the input of this server for a filter. */
export function filterInput({ resources, ...rest }: ProviderFilter): object {
  return withReferences('ResourceProviderFilter', {
    ...rest,
    ...(resources && { resources: amounts(resources) }),
  });
}
