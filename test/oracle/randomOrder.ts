import type { CandidateOrder } from '../../src/model/request.js';
import type { CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import type { Random } from './random.js';

function stranding(random: Random, providers: Forest['providers']): CandidateOrder {
  const classes = [...new Set(providers.flatMap(({ inventories }) => Object.keys(inventories)))];
  const weights = random.chance(40)
    ? random
        .sample(classes, random.pick([1, 2]))
        .map((resourceClass) => ({ resourceClass, weight: random.pick([0, 2, 5]) }))
    : [];
  return { leastStranding: { weights } };
}

/** Draws the terms of an order, at least one: classes of the request, traits, aggregates and consumers of the forest. */
export function randomOrder(
  random: Random,
  { providers, allocations }: Forest,
  { groups }: CaseRequest,
): CandidateOrder[] {
  const requested = [...new Set(groups.flatMap(({ resources = {} }) => Object.keys(resources)))];
  const classes = random.sample(requested, random.pick([1, 1, 2, 3]));
  const terms: CandidateOrder[] = classes.map((resourceClass) => ({
    freeShare: { resourceClass, strategy: random.pick(['SPREAD', 'PACK'] as const) },
  }));
  const some = (list: readonly string[]): string[] =>
    random.sample([...new Set(list)], random.pick([1, 2, 3]));
  const weight = (): number => random.pick([1, 1, 2, 5, -1, -3]);
  const traits = some(providers.flatMap((each) => each.traits));
  const aggregates = some(providers.flatMap((each) => each.aggregates));
  const others: CandidateOrder[] = [
    ...(requested.length === 0
      ? []
      : [
          {
            freeShare: {
              resourceClass: random.pick(requested),
              strategy: random.pick(['SPREAD', 'PACK'] as const),
              aggregates,
            },
          },
        ]),
    { fewestProviders: true },
    ...(providers.some(({ consumes }) => consumes !== undefined) ? [stranding(random, providers)] : []),
    { preferTraits: traits.map((trait) => ({ trait, weight: weight() })) },
    { preferAggregates: aggregates.map((aggregate) => ({ aggregate, weight: weight() })) },
    { nearConsumers: some(allocations.map(({ consumer }) => consumer)) },
  ];
  const drawn = random.sample([...terms, ...random.sample(others, random.pick([0, 1, 2, 3]))], 7);
  return drawn.slice(0, random.pick([1, 2, 3, 7]));
}
