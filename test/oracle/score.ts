import type { Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import type { Forest, ProviderRecord } from '../support/forest.js';
import { capacity } from './capacity.js';
import { ProviderRelations } from './providerRelations.js';

/** Per entry of `orderBy` the share that is free after the claim; what comes first has the better scores. */
export type Scores = number[];

/** The scores of a candidate: of the providers that give the class, all that is free then by all that they can hold. */
export function scorer(forest: Forest, { orderBy = [] }: CaseRequest): (candidate: Candidate) => Scores {
  const world = new ProviderRelations(forest);
  const byUuid = new Map(forest.providers.map((provider) => [provider.uuid, provider]));
  return ({ allocations }) =>
    orderBy.map(({ resourceClass }) => {
      const givers = Object.keys(allocations)
        .filter((uuid) => allocations[uuid][resourceClass] !== undefined)
        .map((uuid) => byUuid.get(uuid)!);
      const sum = (pick: (provider: ProviderRecord) => number): number =>
        givers.map(pick).reduce((all, one) => all + one, 0);
      const held = sum(({ inventories }) => capacity(inventories[resourceClass]));
      const used = sum((provider) => world.used(provider, resourceClass));
      const drawn = sum(({ uuid }) => allocations[uuid][resourceClass]);
      return (held - used - drawn) / held;
    });
}

/** Puts scores into the order that the request asks for. */
export function sortScores(all: Scores[], { orderBy = [] }: CaseRequest): Scores[] {
  return all.toSorted((one, other) => {
    for (const [at, { strategy }] of orderBy.entries()) {
      const more = one[at] - other[at];
      if (more !== 0) return strategy === 'SPREAD' ? -more : more;
    }
    return 0;
  });
}
