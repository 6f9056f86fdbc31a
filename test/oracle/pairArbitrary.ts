import { fc } from '../support/fastCheck.js';
import { affinity, type CaseGroup, type CaseRequest } from '../support/caseRequests.js';
import type { Forest } from '../support/forest.js';
import { Random } from './random.js';
import { randomForest } from './randomForest.js';
import { randomRequest, withoutSuffix } from './randomRequest.js';

/** A small forest and a valid request for it. */
export interface Pair {
  forest: Forest;
  request: CaseRequest;
}

/** Returns the pair for a seed. */
function pairOf(seed: number, counters: number): Pair {
  const random = new Random(seed);
  const forest = randomForest(random, { counters });
  return { forest, request: randomRequest(random, forest) };
}

/**
 * Random pairs for fast-check: it draws the seed, `pairOf` does the rest (composed arbitraries would be many
 * times slower). A pair shrinks by losing one provider, allocation, group, constraint or inventory at a time.
 */
export class PairArbitrary extends fc.Arbitrary<Pair> {
  /** @param counters how many of a hundred forests have counters */
  constructor(private readonly counters = 40) {
    super();
  }

  override generate(random: fc.Random): fc.Value<Pair> {
    return new fc.Value(pairOf(random.nextInt(0, 0x7fffffff), this.counters), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Pair {
    return typeof value === 'object' && value !== null && 'forest' in value && 'request' in value;
  }

  override shrink(pair: Pair): fc.Stream<fc.Value<Pair>> {
    return new fc.Stream(smaller(pair)).map((one) => new fc.Value(one, undefined));
  }
}

function* smaller({ forest, request }: Pair): Generator<Pair, void> {
  for (const less of smallerForests(forest)) yield { forest: less, request };
  for (const less of smallerRequests(request)) if (isValid(less)) yield { forest, request: less };
}

function* smallerForests(forest: Forest): Generator<Forest, void> {
  for (const { name } of forest.providers) {
    if (forest.providers.some(({ parent }) => parent === name)) continue;
    yield {
      providers: forest.providers.filter((provider) => provider.name !== name),
      allocations: forest.allocations.filter(({ provider }) => provider !== name),
    };
  }
  for (const allocations of shorter(forest.allocations)) yield { ...forest, allocations };
  for (const [index, provider] of forest.providers.entries()) {
    const replace = (changed: Partial<typeof provider>): Forest => ({
      ...forest,
      providers: forest.providers.with(index, { ...provider, ...changed }),
    });
    for (const name of Object.keys(provider.consumes ?? {}))
      yield replace({ consumes: without(provider.consumes!, name) });
    for (const traits of shorter(provider.traits)) yield replace({ traits });
    for (const aggregates of shorter(provider.aggregates)) yield replace({ aggregates });
    for (const resourceClass of Object.keys(provider.inventories)) {
      if (
        forest.allocations.some(
          (one) => one.provider === provider.name && one.resourceClass === resourceClass,
        )
      ) {
        continue;
      }
      yield replace({ inventories: without(provider.inventories, resourceClass) });
    }
  }
}

function* smallerRequests(request: CaseRequest): Generator<CaseRequest, void> {
  for (const group of request.groups) {
    yield {
      ...request,
      ...withoutSuffix(request, group.suffix),
      groups: request.groups.filter((other) => other !== group),
    };
  }
  for (const key of Object.keys(request) as Exclude<keyof CaseRequest, 'oneProviderPerTree'>[]) {
    if (key !== 'groups' && request[key]?.length)
      yield { ...request, [key]: key === 'groupPolicy' ? undefined : [] };
  }
  for (const sameSubtree of shorter(request.sameSubtree ?? [])) yield { ...request, sameSubtree };
  for (const [index, suffixes] of (request.sameSubtree ?? []).entries()) {
    for (const less of shorter(suffixes))
      yield { ...request, sameSubtree: request.sameSubtree!.with(index, less) };
  }
  for (const isolate of shorter(request.isolate ?? [])) yield { ...request, isolate };
  for (const [index, group] of request.groups.entries()) {
    for (const less of smallerGroups(group)) yield { ...request, groups: request.groups.with(index, less) };
  }
}

function* smallerGroups(group: CaseGroup): Generator<CaseGroup, void> {
  for (const key of [
    'required',
    'forbidden',
    'memberOf',
    'forbiddenAggregates',
    'inTree',
    'inSubtree',
    'canSplit',
  ] as const) {
    if (group[key]?.length) yield { ...group, [key]: undefined };
  }
  for (const key of ['required', 'memberOf'] as const) {
    for (const sets of shorter(group[key] ?? [])) yield { ...group, [key]: sets };
  }
  for (const [resourceClass, amount] of Object.entries(group.resources ?? {})) {
    const canSplit = group.canSplit?.filter((name) => name !== resourceClass);
    yield { ...group, resources: without(group.resources!, resourceClass), canSplit };
    if (amount > 1) yield { ...group, resources: { ...group.resources, [resourceClass]: amount - 1 } };
  }
}

/** Yields every list with one member less. */
function* shorter<T>(list: readonly T[]): Generator<T[], void> {
  for (const index of list.keys()) yield list.toSpliced(index, 1);
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

/** Checks rules 113 to 115. A request that only loses parts cannot violate any other rule. */
function isValid({ groups, sameSubtree = [] }: CaseRequest): boolean {
  const asks = ({ resources = {} }: CaseGroup): boolean => Object.keys(resources).length > 0;
  const conditions = sameSubtree.map(affinity);
  return (
    groups.some(asks) &&
    conditions.every((condition) => condition.groups.length > 0) &&
    groups.every(
      (group) =>
        asks(group) ||
        conditions.some((condition) => [...condition.groups, ...condition.except].includes(group.suffix)),
    )
  );
}
