import type { AllocationCandidatesInput, RequestGroupInput } from '../../generated/place/operations';
import { MAINTENANCE } from '../../components/maintenance';
import { DEFAULT_CONDITIONS } from '../../components/requestByAmounts';
import { readAmount, referenceTo } from '../../components/terms';

/** A group as it is built: amounts as `VCPU:4`, conditions as `A`, `!A` or `A|B`. */
export interface PlaceGroup {
  readonly suffix: string;
  readonly resources: readonly string[];
  readonly required: readonly string[];
  readonly memberOf: readonly string[];
  /** One provider at most, by name or uuid, from whose tree all of the group is to come. */
  readonly inTree: readonly string[];
  /** Classes; of the unsuffixed group alone. */
  readonly split: readonly string[];
}

/** A request as it is built. */
export interface PlaceRequest {
  readonly groups: readonly PlaceGroup[];
  /** Traits of the root. */
  readonly rootRequired: readonly string[];
  readonly isIsolated: boolean;
  /** Suffixes of groups that share their providers with no other. */
  readonly isolate: readonly string[];
  /** Each as `_A,_B,!_C`. */
  readonly sameSubtree: readonly string[];
  /** Names or uuids of providers in whose trees nothing is to be. */
  readonly notInTrees: readonly string[];
  /** Each as `VCPU:spread` or `VCPU:pack`. */
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

/** The request of an address without one. */
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

/** The request as the API takes it. The seed makes the result repeatable. */
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
    resources: resources.map(readAmount),
    ...(traits.required.length > 0 && { requiredTraits: traits.required }),
    ...(traits.forbidden.length > 0 && { forbiddenTraits: traits.forbidden }),
    ...(memberOfAll.length > 0 && { memberOf: memberOfAll }),
    ...(aggregates.forbidden.length > 0 && { forbiddenAggregates: aggregates.forbidden.map(referenceTo) }),
    ...(inTree.length > 0 && { inTree: referenceTo(inTree[0]) }),
    ...(suffix === '' && split.length > 0 && { canSplit: [...split] }),
  };
}

/** `!A` is forbidden; `A|B` is required, either of them. */
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

function orderOf(text: string) {
  const [resourceClass, strategy] = text.split(':');
  return {
    freeShare: { resourceClass, strategy: strategy === 'pack' ? ('PACK' as const) : ('SPREAD' as const) },
  };
}
