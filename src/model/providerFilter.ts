import { ensure } from './invalidInput.js';
import {
  checkLength,
  validateAlternatives,
  validateList,
  validateResources,
  validateTraits,
  type Alternatives,
  type KnownNames,
  type ResourceAmount,
} from './providerConditions.js';

/** Selects providers. All given conditions must hold. */
export interface ProviderFilter {
  readonly name?: string | null;
  readonly nameContains?: string | null;
  readonly nameStartsWith?: string | null;
  readonly uuid?: string | null;
  readonly uuidIn?: readonly string[] | null;
  readonly inTree?: string | null;
  readonly rootsOnly?: boolean;
  /** The inner lists are alternatives. */
  readonly memberOf?: Alternatives;
  readonly forbiddenAggregates?: readonly string[];
  readonly requiredTraits?: Alternatives;
  readonly forbiddenTraits?: readonly string[];
  readonly resources?: readonly ResourceAmount[];
  /** Conditions that some provider of the tree must meet. */
  readonly memberOfInTree?: Alternatives;
  readonly hasTraitInTree?: Alternatives;
  readonly resourcesInTree?: readonly ResourceAmount[];
}

/** The maximum number of alternatives of one condition. */
const MOST_ALTERNATIVES = 100;

/** @throws InvalidInput for a filter that rules 55 and 56 or decisions D7 and D12 reject */
export function validateFilter(filter: ProviderFilter, known: KnownNames): void {
  for (const name of ['requiredTraits', 'memberOf', 'hasTraitInTree', 'memberOfInTree'] as const) {
    const { length } = filter[name] ?? [];
    const message = `${length} lists: at most ${MOST_ALTERNATIVES} are allowed`;
    ensure(length <= MOST_ALTERNATIVES, ['filter', name], message);
  }
  const { requiredTraits = [], forbiddenTraits = [], hasTraitInTree = [], uuidIn } = filter;
  validateTraits(
    { required: requiredTraits, forbidden: forbiddenTraits },
    { required: ['filter', 'requiredTraits'], forbidden: ['filter', 'forbiddenTraits'] },
    known,
  );
  validateTraits(
    { required: hasTraitInTree, forbidden: [] },
    { required: ['filter', 'hasTraitInTree'], forbidden: [] },
    known,
  );
  for (const name of ['memberOf', 'memberOfInTree'] as const)
    validateAlternatives(filter[name] ?? [], ['filter', name]);
  validateList(filter.forbiddenAggregates ?? [], ['filter', 'forbiddenAggregates'], 'aggregate');
  for (const name of ['resources', 'resourcesInTree'] as const)
    validateResources(filter[name] ?? [], ['filter', name], known);
  if (uuidIn != null) checkLength(uuidIn, ['filter', 'uuidIn']);
}
