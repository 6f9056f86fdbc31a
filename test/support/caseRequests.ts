import type { CandidateOrder, CandidatesRequest } from '../../src/model/request.js';
import { aggregate, uuidOf, type Forest } from './forest.js';

/**
 * A request group in the format of the conformance files. Omitted fields are empty. The name of a
 * provider selects its tree.
 */
export interface CaseGroup {
  suffix: string;
  resources?: Record<string, number>;
  required?: string[][];
  forbidden?: string[];
  memberOf?: string[][];
  forbiddenAggregates?: string[];
  inTree?: string | null;
  inSubtree?: string | null;
  canSplit?: string[];
}

/**
 * A request for candidates in the format of the conformance files. It adds fields that the
 * reference lacks: the root constraints (D11), isolation by group, and `!_Y` in a subtree condition
 * for a group that must not be in that subtree.
 */
export interface CaseRequest {
  groups: CaseGroup[];
  sameSubtree?: string[][];
  groupPolicy?: 'none' | 'isolate';
  isolate?: string[];
  /** Names that are all required, or an AND of ORs. */
  rootRequired?: (string | string[])[];
  rootForbidden?: string[];
  excludedRootTraits?: string[];
  oneProviderPerTree?: boolean;
  /** Names of providers. */
  ownProviders?: string[];
  rootMemberOf?: string[][];
  rootForbiddenAggregates?: string[];
  /** Names of providers. */
  notInTrees?: string[];
  awayFromConsumers?: string[];
  nearConsumers?: string[];
  orderBy?: CandidateOrder[];
}

/**
 * Converts a `CaseRequest` to the API's `AllocationCandidatesInput`: names become uuids, and
 * omitted fields get defaults.
 */
export function toRequest(asked: CaseRequest, { providers, allocations }: Forest): CandidatesRequest {
  const uuid = (name: string): string =>
    providers.find((provider) => provider.name === name)?.uuid ?? uuidOf('unknown provider', name);
  return {
    groups: asked.groups.map((group) => ({
      suffix: group.suffix,
      resources: Object.entries(group.resources ?? {}).map(([resourceClass, amount]) => ({
        resourceClass,
        amount,
      })),
      requiredTraits: group.required ?? [],
      forbiddenTraits: group.forbidden ?? [],
      memberOf: group.memberOf ?? [],
      forbiddenAggregates: group.forbiddenAggregates ?? [],
      inTree: group.inTree ? uuid(group.inTree) : null,
      inSubtree: group.inSubtree ? uuid(group.inSubtree) : null,
      canSplit: group.canSplit ?? [],
    })),
    groupPolicy: asked.groupPolicy === 'isolate' ? 'ISOLATE' : 'NONE',
    sameSubtree: (asked.sameSubtree ?? []).map(affinity),
    isolate: asked.isolate ?? [],
    rootRequiredTraits: (asked.rootRequired ?? []).map((names) => [names].flat()),
    rootForbiddenTraits: asked.rootForbidden ?? [],
    excludedRootTraits: asked.excludedRootTraits ?? [],
    oneProviderPerTree: asked.oneProviderPerTree ?? false,
    ownProviders: (asked.ownProviders ?? []).map(uuid),
    rootMemberOf: asked.rootMemberOf ?? [],
    rootForbiddenAggregates: asked.rootForbiddenAggregates ?? [],
    notInTrees: (asked.notInTrees ?? []).map(uuid),
    awayFromConsumers: asked.awayFromConsumers ?? [],
    nearConsumers: asked.nearConsumers ?? [],
    holdings: new Map(
      [
        ...(asked.awayFromConsumers ?? []),
        ...(asked.nearConsumers ?? []),
        ...(asked.orderBy ?? []).flatMap(({ nearConsumers }) => nearConsumers ?? []),
      ].map((consumer) => [
        consumer,
        allocations.filter((one) => one.consumer === consumer).map(({ provider }) => uuid(provider)),
      ]),
    ),
    orderBy: asked.orderBy ?? [],
  };
}

/** Returns a subtree condition: the groups within the subtree, and after `!` those outside. */
export function affinity(suffixes: readonly string[]): { groups: string[]; except: string[] } {
  return {
    groups: suffixes.filter((suffix) => !suffix.startsWith('!')),
    except: suffixes.filter((suffix) => suffix.startsWith('!')).map((suffix) => suffix.slice(1)),
  };
}

/**
 * Reads a request in the notation of the source documents, the query string of the reference:
 * `resources=VCPU:1&resources_N=VF:2&required_N=!T,U&member_of=in:A,B&same_subtree=_N,!_M&group_policy=isolate`, and in the same
 * manner `isolate=_N,_M`, `can_split=VCPU`, `order_by=VCPU:spread,VF:pack`. Aggregates are letters, `in_tree` and `in_subtree` name
 * a provider. White space is free.
 */
export function query(text: string): CaseRequest {
  const asked: CaseRequest = { groups: [] };
  const group = (suffix: string): CaseGroup => {
    const found = asked.groups.find((known) => known.suffix === suffix);
    if (found) return found;
    const made: CaseGroup = { suffix, resources: {} };
    asked.groups.push(made);
    return made;
  };
  for (const parameter of text.replaceAll(/\s+/g, '').split('&').filter(Boolean)) {
    const [key, value] = parameter.split('=');
    if (key === 'same_subtree') (asked.sameSubtree ??= []).push(value.split(','));
    else if (key === 'isolate') asked.isolate = value.split(',');
    else if (key === 'group_policy') asked.groupPolicy = value as 'none' | 'isolate';
    else if (key === 'order_by') asked.orderBy = value.split(',').map(readOrder);
    else if (key === 'root_required')
      constrain(value, (asked.rootRequired ??= []), (asked.rootForbidden ??= []));
    else if (key === 'root_member_of')
      constrain(value, (asked.rootMemberOf ??= []), (asked.rootForbiddenAggregates ??= []), aggregate);
    else readGroupParameter(key, value, group);
  }
  return asked;
}

/** `VCPU:spread`, `VCPU:pack`, `fewest`, or a preferred trait with its weight, `HW_X:+2`. */
function readOrder(text: string): CandidateOrder {
  const [resourceClass, strategy = ''] = text.split(':');
  if (resourceClass === 'fewest') return { fewestProviders: true };
  if (/^[+-]\d/.test(strategy)) return { preferTraits: [{ trait: resourceClass, weight: Number(strategy) }] };
  return { freeShare: { resourceClass, strategy: strategy === 'spread' ? 'SPREAD' : 'PACK' } };
}

function readGroupParameter(key: string, value: string, group: (suffix: string) => CaseGroup): void {
  const parts = /^(resources|required|member_of|in_tree|in_subtree|can_split)(.*)$/.exec(key);
  if (!parts) throw new Error(`no such parameter: ${key}`);
  const own = group(parts[2]);
  if (parts[1] === 'in_tree') own.inTree = value;
  else if (parts[1] === 'in_subtree') own.inSubtree = value;
  else if (parts[1] === 'can_split') own.canSplit = value.split(',');
  else if (parts[1] === 'required') constrain(value, (own.required ??= []), (own.forbidden ??= []));
  else if (parts[1] === 'member_of')
    constrain(value, (own.memberOf ??= []), (own.forbiddenAggregates ??= []), aggregate);
  else {
    for (const amount of value.split(',')) {
      const [resourceClass, wanted] = amount.split(':');
      own.resources = { ...own.resources, [resourceClass]: Number(wanted) };
    }
  }
}

/** `T,U`: both; `in:T,U`: one of them; `!T`: not; `!in:T,U`: neither. */
function constrain(
  value: string,
  required: (string | string[])[],
  forbidden: string[],
  read: (name: string) => string = (name) => name,
): void {
  const names = (list: string): string[] => list.split(',').map(read);
  if (value.startsWith('in:')) required.push(names(value.slice(3)));
  else if (value.startsWith('!in:')) forbidden.push(...names(value.slice(4)));
  else
    for (const name of value.split(',')) {
      if (name.startsWith('!')) forbidden.push(read(name.slice(1)));
      else required.push([read(name)]);
    }
}

/** Returns all traits that a request names. The catalog must have each, even if no provider has. */
export function traitsNamed(request: CaseRequest): string[] {
  const ofGroups = request.groups.flatMap(({ required, forbidden }) => [
    ...(required ?? []),
    ...(forbidden ?? []),
  ]);
  return [...ofGroups, ...(request.rootRequired ?? []), ...(request.rootForbidden ?? [])].flat();
}
