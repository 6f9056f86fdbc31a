import { ensure, firstDuplicate, unknownName } from '../../model/input.js';
import {
  checkLength,
  validateList,
  type CandidateOrder,
  type CandidatesRequest,
  type KnownNames,
  type Path,
} from '../../model/request.js';
import { distinctTerms } from '../plan.js';

/** The maximum number of different terms of an order. Each takes time and memory at each tree. */
const MAX_TERMS = 32;

/** @throws InvalidInput for a malformed order or unknown names */
export function validateOrder({ groups, orderBy }: CandidatesRequest, known: KnownNames): void {
  checkLength(orderBy, ['orderBy']);
  const requested = new Set(groups.flatMap(({ resources }) => resources.map((each) => each.resourceClass)));
  const count = distinctTerms(orderBy).length;
  ensure(count <= MAX_TERMS, ['orderBy'], `${count} different terms: an order has at most ${MAX_TERMS}`);
  const repeated = firstDuplicate(orderBy.map(keyOfTerm));
  const seen = new Set<CandidateOrder>();
  orderBy.forEach((term, position) => {
    const path = ['orderBy', String(position)];
    ensure(position !== repeated, path, 'the order has this term already');
    if (seen.has(term)) return;
    seen.add(term);
    const { freeShare, fewestProviders, leastStranding, preferTraits, preferAggregates, nearConsumers } =
      term;
    ensure(fewestProviders !== false, [...path, 'fewestProviders'], 'pass true or omit the term');
    if (freeShare) {
      const { resourceClass, aggregates = [] } = freeShare;
      const here = [...path, 'freeShare', 'resourceClass'];
      if (!known.hasClass(resourceClass)) throw unknownName('resource class', resourceClass, here);
      ensure(requested.has(resourceClass), here, `no group asks for ${resourceClass}`);
      validateList(aggregates, [...path, 'freeShare', 'aggregates'], 'aggregate');
    }
    if (leastStranding)
      validateWeights(leastStranding.weights, [...path, 'leastStranding', 'weights'], known);
    validatePreferences(preferTraits ?? [], 'trait', [...path, 'preferTraits'], known);
    validatePreferences(preferAggregates ?? [], 'aggregate', [...path, 'preferAggregates'], known);
    validateList(nearConsumers ?? [], [...path, 'nearConsumers'], 'consumer');
  });
}

/** Returns equal keys for two terms if the second could never decide the order. */
function keyOfTerm(
  { freeShare, fewestProviders, leastStranding, nearConsumers }: CandidateOrder,
  position: number,
): string {
  if (freeShare) return freeShare.aggregates?.length ? String(position) : freeShare.resourceClass;
  if (leastStranding) return 'leastStranding';
  if (fewestProviders != null) return 'fewestProviders';
  return nearConsumers ? 'nearConsumers' : String(position);
}

function validateWeights(
  weights: readonly { readonly resourceClass: string; readonly weight: number }[],
  path: Path,
  known: KnownNames,
): void {
  checkLength(weights, path);
  const repeated = firstDuplicate(weights.map((each) => each.resourceClass));
  weights.forEach(({ resourceClass, weight }, position) => {
    const here = [...path, String(position)];
    ensure(position !== repeated, [...here, 'resourceClass'], `${resourceClass} is listed already`);
    ensure(weight >= 0, [...here, 'weight'], `${weight}: a weight must be at least 0`);
    if (!known.hasClass(resourceClass))
      throw unknownName('resource class', resourceClass, [...here, 'resourceClass']);
  });
}

function validatePreferences<Kind extends 'trait' | 'aggregate'>(
  preferences: readonly Readonly<Record<Kind, string>>[],
  kind: Kind,
  path: Path,
  known: KnownNames,
): void {
  checkLength(preferences, path);
  const names = preferences.map((preference) => preference[kind]);
  const repeated = firstDuplicate(names);
  names.forEach((name, position) => {
    const here = [...path, String(position), kind];
    if (kind === 'trait' && !known.hasTrait(name)) throw unknownName('trait', name, here);
    ensure(position !== repeated, here, `${kind} ${name} is repeated`);
  });
}
