import type { CandidateOrder } from '../../src/model/request.js';
import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { capacity } from './capacity.js';
import { ProviderRelations } from './providerRelations.js';

/** The value of a candidate by each term of `orderBy`. */
export type Scores = number[];

export function scorer(forest: Forest, { orderBy = [] }: CaseRequest): (candidate: Candidate) => Scores {
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
      if (term.freeShare?.aggregates)
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
      if (!term.nearConsumers) return providers.length;
      const there = own.length === 0 ? [] : world.consumersIn(world.root(own[0]));
      return term.nearConsumers.filter((consumer) => there.includes(consumer)).length;
    };
    return orderBy.map(value);
  };
}

/** Sorts scores in the order of the request. */
export function sortScores(all: Scores[], { orderBy = [] }: CaseRequest): Scores[] {
  return all.toSorted((one, other) => {
    for (const [at, { freeShare, fewestProviders }] of orderBy.entries()) {
      const more = one[at] - other[at];
      const isLessFirst = freeShare?.strategy === 'PACK' || fewestProviders;
      if (more !== 0) return isLessFirst ? more : -more;
    }
    return 0;
  });
}
