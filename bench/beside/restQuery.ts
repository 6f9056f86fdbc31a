import type { CandidatesRequest } from '../../src/model/request.js';

/**
 * Returns a request as a query string for OpenStack Placement. Omits conditions that Placement does
 * not support.
 */
export function restQuery(request: CandidatesRequest): string {
  const query = new URLSearchParams();
  for (const { suffix, ...group } of request.groups) {
    const add = (name: string, value: string): void => query.append(name + suffix, value);
    const amounts = group.resources.map(({ resourceClass, amount }) => `${resourceClass}:${amount}`);
    if (amounts.length > 0) add('resources', amounts.join(','));
    for (const names of group.requiredTraits) add('required', `in:${names.join(',')}`);
    for (const name of group.forbiddenTraits) add('required', `!${name}`);
    for (const uuids of group.memberOf) add('member_of', `in:${uuids.join(',')}`);
    if (group.forbiddenAggregates.length > 0) add('member_of', `!in:${group.forbiddenAggregates.join(',')}`);
    if (group.inTree) add('in_tree', group.inTree);
  }
  for (const { groups } of request.sameSubtree) query.append('same_subtree', groups.join(','));
  const { rootRequiredTraits, rootForbiddenTraits } = request;
  const root = [...rootRequiredTraits.flat(), ...rootForbiddenTraits.map((name) => `!${name}`)];
  if (root.length > 0) query.append('root_required', root.join(','));
  query.append('group_policy', request.groupPolicy.toLowerCase());
  return query.toString();
}
