import type { CandidateOrder } from '../../src/model/request.js';
import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { capacity } from './capacity.js';
import { ProviderRelations } from './providerRelations.js';

/** The value of a candidate by each term of `orderBy`. */
export type Scores = number[];

export function scorer(
  forest: Forest,
  { groups, orderBy = [] }: CaseRequest,
): (candidate: Candidate) => Scores {
  const requested = groups.flatMap(({ resources = {} }) => Object.keys(resources));
  const world = new ProviderRelations(forest);
  const byUuid = new Map(forest.providers.map((provider) => [provider.uuid, provider]));
  return ({ allocations }) => {
    const providers = Object.keys(allocations)
      .map((uuid) => byUuid.get(uuid)!)
      .filter((one) => Object.keys(allocations[one.uuid]).some((name) => !world.isCounter(one, name)));
    const own = providers.filter(({ traits }) => !traits.includes(SHARING));
    const withRoot = [...own, ...own.map((provider) => world.root(provider))];
    const sumOf = (wanted: readonly [name: string, weight: number][], has: (name: string) => boolean) =>
      wanted.filter(([name]) => has(name)).reduce((sum, [, weight]) => sum + weight, 0);

    const freeShare = (resourceClass: string): number => {
      const givers = providers.filter(({ uuid }) => allocations[uuid][resourceClass] !== undefined);
      const sum = (pick: (provider: ProviderRecord) => number): number =>
        givers.map(pick).reduce((all, one) => all + one, 0);
      const held = sum(({ inventories }) => capacity(inventories[resourceClass]));
      const free = sum((provider) => world.free(provider, resourceClass));
      const drawn = sum(({ uuid }) => allocations[uuid][resourceClass]);
      return (free - drawn) / held;
    };

    /** The free share in the aggregates of the root, before the claim. */
    const shareIn = ({
      resourceClass,
      strategy,
      aggregates,
    }: Required<NonNullable<CandidateOrder['freeShare']>>): number => {
      const isSpread = strategy === 'SPREAD';
      const root = own.length === 0 ? null : world.root(own[0]);
      const shares = aggregates.flatMap((aggregate) => {
        if (root?.aggregates.includes(aggregate) !== true) return [];
        const members = world.providers.filter(
          (one) =>
            world.root(one).aggregates.includes(aggregate) &&
            !one.traits.includes(SHARING) &&
            one.inventories[resourceClass] !== undefined,
        );
        const free = members.reduce((all, one) => all + Math.max(0, world.free(one, resourceClass)), 0);
        const held = members.reduce((all, one) => all + capacity(one.inventories[resourceClass]), 0);
        return held === 0 ? [] : [free / held];
      });
      return isSpread ? Math.max(0, ...shares) : Math.min(1, ...shares);
    };

    const value = (term: CandidateOrder): number => {
      if (term.freeShare?.aggregates?.length)
        return shareIn({ ...term.freeShare, aggregates: term.freeShare.aggregates });
      if (term.freeShare) return freeShare(term.freeShare.resourceClass);
      if (term.preferTraits)
        return sumOf(
          term.preferTraits.map(({ trait, weight }) => [trait, weight]),
          (trait) => withRoot.some(({ traits }) => traits.includes(trait)),
        );
      if (term.preferAggregates)
        return sumOf(
          term.preferAggregates.map(({ aggregate, weight }) => [aggregate, weight]),
          (aggregate) => withRoot.some(({ aggregates }) => aggregates.includes(aggregate)),
        );
      if (term.leastStranding) return lostUnits(forest, requested, term.leastStranding.weights, allocations);
      if (!term.nearConsumers) return providers.length;
      const there = own.length === 0 ? [] : world.consumersIn(world.root(own[0]));
      return term.nearConsumers.filter((consumer) => there.includes(consumer)).length;
    };
    return orderBy.map(value);
  };
}

interface Partition {
  readonly provider: ProviderRecord;
  readonly resourceClass: string;
  /** The counters by uuid and class, with their amounts. */
  readonly counters: ReadonlyMap<string, number>;
}

/** Returns the weighted units of classes that are not requested, which fit before some allocations and not after them. */
function lostUnits(
  forest: Forest,
  requested: readonly string[],
  weights: readonly { readonly resourceClass: string; readonly weight: number }[],
  allocations: Candidate['allocations'],
): number {
  const byUuid = new Map(forest.providers.map((provider) => [provider.uuid, provider]));
  const added = Object.entries(allocations).flatMap(([uuid, amounts]) =>
    Object.entries(amounts).map(([resourceClass, used]) => ({
      consumer: 'claim',
      provider: byUuid.get(uuid)!.name,
      resourceClass,
      used,
    })),
  );
  const [before, after] = [[], added].map(
    (more) => new ProviderRelations({ ...forest, allocations: [...forest.allocations, ...more] }),
  );
  const isThere = (key: string): boolean => {
    const [uuid, resourceClass] = key.split(' ');
    return byUuid.get(uuid)?.inventories[resourceClass] !== undefined;
  };
  const partitions = forest.providers.flatMap((provider) =>
    Object.entries(provider.consumes ?? {}).flatMap(([resourceClass, all]): Partition[] => {
      if (!(resourceClass in provider.inventories)) return [];
      const keys = all.map((each) => [`${each.provider} ${each.resourceClass}`, each.amount] as const);
      return [{ provider, resourceClass, counters: new Map(keys) }];
    }),
  );
  let lost = 0;
  const open = new Set(partitions);
  while (open.size > 0) {
    const [first] = open;
    const group = new Set([first]);
    for (const one of group)
      for (const other of open)
        if ([...other.counters.keys()].some((key) => one.counters.has(key) && isThere(key))) group.add(other);
    for (const one of group) open.delete(one);
    const isTouched = [...group].some(({ counters }) =>
      [...counters.keys()].some((key) => {
        const [uuid, resourceClass] = key.split(' ');
        return (allocations[uuid]?.[resourceClass] ?? 0) > 0;
      }),
    );
    if (!isTouched) continue;
    for (const resourceClass of new Set([...group].map((each) => each.resourceClass))) {
      if (requested.includes(resourceClass)) continue;
      const own = [...group].filter(
        (each) => each.resourceClass === resourceClass && [...each.counters.keys()].every(isThere),
      );
      const common = [...(own[0]?.counters.keys() ?? [])].filter((key) =>
        own.every(({ counters }) => counters.has(key)),
      );
      const units = (world: ProviderRelations): number =>
        Math.min(
          own.reduce((sum, { provider }) => sum + Math.max(0, world.free(provider, resourceClass)), 0),
          ...common.map((key) => {
            const [uuid, counter] = key.split(' ');
            const least = Math.min(...own.map(({ counters }) => counters.get(key)!));
            return Math.floor(Math.max(0, world.free(byUuid.get(uuid)!, counter)) / least);
          }),
        );
      if (own.length === 0) continue;
      const sizes = own.map(({ counters }) =>
        [...counters.values()].reduce((sum, amount) => sum + amount, 0),
      );
      const weight =
        weights.find((each) => each.resourceClass === resourceClass)?.weight ?? Math.min(...sizes);
      lost += weight * (units(before) - units(after));
    }
  }
  return lost;
}

/** Sorts scores in the order of the request. */
export function sortScores(all: Scores[], { orderBy = [] }: CaseRequest): Scores[] {
  return all.toSorted((one, other) => {
    for (const [at, { freeShare, fewestProviders, leastStranding }] of orderBy.entries()) {
      const more = one[at] - other[at];
      const isLessFirst = freeShare?.strategy === 'PACK' || fewestProviders || leastStranding;
      if (more !== 0) return isLessFirst ? more : -more;
    }
    return 0;
  });
}
