import { InvalidInput } from './invalidInput.js';
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
  const { requiredTraits = [], forbiddenTraits = [], resources = [], memberOf = [] } = filter;
  const { forbiddenAggregates = [], uuidIn } = filter;
  const { hasTraitInTree = [], memberOfInTree = [], resourcesInTree = [] } = filter;
  for (const [name, { length }] of Object.entries({
    requiredTraits,
    memberOf,
    hasTraitInTree,
    memberOfInTree,
  })) {
    if (length > MOST_ALTERNATIVES)
      throw new InvalidInput(['filter', name], `${length} lists: at most ${MOST_ALTERNATIVES} are allowed`);
  }
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
  validateAlternatives(memberOf, ['filter', 'memberOf']);
  validateAlternatives(memberOfInTree, ['filter', 'memberOfInTree']);
  validateList(forbiddenAggregates, ['filter', 'forbiddenAggregates'], 'aggregate');
  validateResources(resources, ['filter', 'resources'], known);
  validateResources(resourcesInTree, ['filter', 'resourcesInTree'], known);
  if (uuidIn != null) checkLength(uuidIn, ['filter', 'uuidIn']);
}
