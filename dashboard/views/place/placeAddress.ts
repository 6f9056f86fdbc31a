import { amountFault, onePerClass } from '../../components/terms';
import { STANDARD_REQUEST, type PlaceGroup, type PlaceRequest } from './placeRequest';

/** The parts of a group in the address, each followed by the suffix, as in `resources_NET=SRIOV_NET_VF:1`. */
const GROUP_PART = /^(resources|required|member_of|in_tree|split)([A-Za-z0-9_-]{0,64})$/;

/**
 * Reads a request from the address. The format resembles OpenStack Placement's:
 * `resources=VCPU:4&required_NET=A,!B&group_policy=isolate`.
 */
export function readRequest(address: URLSearchParams): PlaceRequest {
  const suffixes = new Set(Array.from(address.keys()).flatMap((key) => GROUP_PART.exec(key)?.[2] ?? []));
  if (suffixes.size === 0) return { ...STANDARD_REQUEST, ...readRest(address) };
  return { groups: Array.from(suffixes, (suffix) => readGroup(address, suffix)), ...readRest(address) };
}

function readGroup(address: URLSearchParams, suffix: string): PlaceGroup {
  const part = (name: string): string[] => termsOf(address.get(name + suffix), ',');
  return {
    suffix,
    resources: onePerClass(part('resources')),
    required: part('required'),
    memberOf: part('member_of'),
    inTree: part('in_tree').slice(0, 1),
    split: part('split'),
  };
}

function readRest(address: URLSearchParams): Omit<PlaceRequest, 'groups'> {
  return {
    rootRequired: termsOf(address.get('root_required'), ','),
    isIsolated: address.get('group_policy') === 'isolate',
    isolate: termsOf(address.get('isolate'), ','),
    sameSubtree: termsOf(address.get('same_subtree'), ';'),
    notInTrees: termsOf(address.get('not_in_trees'), ','),
    order: termsOf(address.get('order'), ','),
    inMaintenance: address.get('maintenance') === 'allow',
    near: termsOf(address.get('near'), ','),
    away: termsOf(address.get('away'), ','),
  };
}

const termsOf = (text: string | null, separator: string): string[] =>
  (text ?? '').split(separator).filter((term) => term !== '');

/** Writes a request in the format of the address. */
export function writeRequest(request: PlaceRequest): URLSearchParams {
  const { groups, rootRequired, isIsolated, isolate, sameSubtree, notInTrees, order, near, away } = request;
  const address = new URLSearchParams();
  const add = (name: string, terms: readonly string[], separator = ','): void => {
    if (terms.length > 0) address.set(name, terms.join(separator));
  };
  for (const { suffix, resources, required, memberOf, inTree, split } of groups) {
    address.set(`resources${suffix}`, resources.join(','));
    add(`required${suffix}`, required);
    add(`member_of${suffix}`, memberOf);
    add(`in_tree${suffix}`, inTree);
    add(`split${suffix}`, split);
  }
  add('root_required', rootRequired);
  add('group_policy', isIsolated ? ['isolate'] : []);
  add('isolate', isolate);
  add('same_subtree', sameSubtree, ';');
  add('not_in_trees', notInTrees);
  add('order', order);
  add('maintenance', request.inMaintenance ? ['allow'] : []);
  add('near', near);
  add('away', away);
  return address;
}

/** Returns what is wrong with each malformed amount of an address. */
export function amountFaults(address: URLSearchParams): string[] {
  const amounts = Array.from(address).filter(([name]) => /^resources/.test(name));
  return amounts.flatMap(([, text]) => termsOf(text, ',')).flatMap((term) => amountFault(term) ?? []);
}
