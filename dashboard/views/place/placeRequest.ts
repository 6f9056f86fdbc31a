import type { AllocationCandidatesInput, RequestGroupInput } from '../../generated/place/operations';
import { MAINTENANCE } from '../../components/maintenance';
import { DEFAULT_CONDITIONS } from '../../components/requestByAmounts';
import { readAmounts, referenceTo } from '../../components/terms';

/** A group in the editor: amounts such as `VCPU:4`, conditions such as `A`, `!A` or `A|B`. */
export interface PlaceGroup {
  readonly suffix: string;
  readonly resources: readonly string[];
  readonly required: readonly string[];
  readonly memberOf: readonly string[];
  /** At most one provider, by name or uuid. All resources of the group come from its tree. */
  readonly inTree: readonly string[];
  /** The classes that may be split. Only the unsuffixed group has any. */
  readonly split: readonly string[];
}

/** A request in the editor. */
export interface PlaceRequest {
  readonly groups: readonly PlaceGroup[];
  /** Traits of the root. */
  readonly rootRequired: readonly string[];
  readonly isIsolated: boolean;
  /** Suffixes of groups whose providers serve no other group. */
  readonly isolate: readonly string[];
  /** Each element has the form `_A,_B,!_C`. */
  readonly sameSubtree: readonly string[];
  /** Names or uuids of providers whose trees are excluded. */
  readonly notInTrees: readonly string[];
  /** Each element has the form `VCPU:spread` or `VCPU:pack`, or is {@link LEAST_STRANDING}. */
  readonly order: readonly string[];
  /** Whether hosts in maintenance may serve it. */
  readonly inMaintenance: boolean;
  /** The uuids of consumers. */
  readonly near: readonly string[];
  readonly away: readonly string[];
}

export const emptyGroup = (suffix: string): PlaceGroup => ({
  suffix,
  resources: [],
  required: [],
  memberOf: [],
  inTree: [],
  split: [],
});

/** The request that an address without a request selects. */
export const STANDARD_REQUEST: PlaceRequest = {
  groups: [{ ...emptyGroup(''), resources: ['VCPU:4', 'MEMORY_MB:8192'] }],
  rootRequired: [],
  isIsolated: false,
  isolate: [],
  sameSubtree: [],
  notInTrees: [],
  order: [],
  inMaintenance: false,
  near: [],
  away: [],
};

/** Converts a request to the input of the API. The seed makes the result repeatable. */
export function inputOf(request: PlaceRequest): AllocationCandidatesInput {
  const { groups, rootRequired, isIsolated, isolate, sameSubtree, notInTrees, order, near, away } = request;
  const root = conditionsOf(rootRequired);
  const forbidden = request.inMaintenance ? root.forbidden : [...root.forbidden, MAINTENANCE];
  return {
    groups: groups.map(groupInputOf),
    ...(isIsolated && { groupPolicy: 'ISOLATE' as const }),
    ...(isolate.length > 0 && { isolate: [...isolate] }),
    ...(root.required.length > 0 && { rootRequiredTraits: root.required }),
    ...(forbidden.length > 0 && { rootForbiddenTraits: forbidden }),
    ...(request.inMaintenance && { includeExcluded: true }),
    ...(sameSubtree.length > 0 && { sameSubtree: sameSubtree.map(subtreeOf) }),
    ...(notInTrees.length > 0 && { notInTrees: notInTrees.map(referenceTo) }),
    orderBy: order.length > 0 ? order.map(orderOf) : DEFAULT_CONDITIONS.orderBy,
    ...(near.length > 0 && { nearConsumers: [...near] }),
    ...(away.length > 0 && { awayFromConsumers: [...away] }),
    seed: 1,
  };
}

function groupInputOf(group: PlaceGroup): RequestGroupInput {
  const { suffix, resources, required, memberOf, inTree, split } = group;
  const traits = conditionsOf(required);
  const aggregates = conditionsOf(memberOf);
  const memberOfAll = aggregates.required.map((all) => all.map(referenceTo));
  return {
    ...(suffix !== '' && { suffix }),
    resources: readAmounts(resources),
    ...(traits.required.length > 0 && { requiredTraits: traits.required }),
    ...(traits.forbidden.length > 0 && { forbiddenTraits: traits.forbidden }),
    ...(memberOfAll.length > 0 && { memberOf: memberOfAll }),
    ...(aggregates.forbidden.length > 0 && { forbiddenAggregates: aggregates.forbidden.map(referenceTo) }),
    ...(inTree.length > 0 && { inTree: referenceTo(inTree[0]) }),
    ...(suffix === '' && split.length > 0 && { canSplit: [...split] }),
  };
}

/** `!A` forbids a trait. `A|B` requires at least one of the traits. */
function conditionsOf(terms: readonly string[]) {
  return {
    required: terms.filter((term) => !term.startsWith('!')).map((term) => term.split('|')),
    forbidden: terms.filter((term) => term.startsWith('!')).map((term) => term.slice(1)),
  };
}

function subtreeOf(text: string) {
  const suffixes = text.split(',');
  return {
    groups: suffixes.filter((suffix) => !suffix.startsWith('!')),
    except: suffixes.filter((suffix) => suffix.startsWith('!')).map((suffix) => suffix.slice(1)),
  };
}

/** The term of the order that keeps the most partitions of other classes. */
export const LEAST_STRANDING = 'leastStranding';

function orderOf(text: string) {
  if (text === LEAST_STRANDING) return { leastStranding: {} };
  const [resourceClass, strategy] = text.split(':');
  return {
    freeShare: { resourceClass, strategy: strategy === 'pack' ? ('PACK' as const) : ('SPREAD' as const) },
  };
}
