import type { GraphQLResolveInfo } from 'graphql';
import { treeOf } from '../../fleet/snapshot.js';
import type { WorkloadPlacement } from '../../moves/claim/workloadPlacement.js';
import type { TopologyRule as EngineRule } from '../../moves/workload/workload.js';
import type { UsedDomain } from '../../moves/workload/workloadSearch.js';
import { builder, meanings, objectType } from '../builder.js';
import { afterClaim, candidateProvider } from '../candidates/snapshotProvider.js';
import type { Context } from '../context.js';
import { Aggregate, ResourceProvider } from '../refs.js';

export const TopologyRule = builder.enumType('TopologyRule', {
  description: 'How a topology rule distributes its consumers over domains. Each must be in at least one.',
  values: meanings({
    SAME: 'All are in one domain.',
    DIFFERENT: 'No two are in one domain.',
    SPREAD:
      'The numbers of consumers in the domains differ by at most `maxSkew`. A domain does not count if it could ' +
      'not serve one consumer even if it were empty.',
    PACK:
      'In the fewest possible domains, of these in those with the least free amounts of the requested classes. Less ' +
      'important than few moves and preferred requests, more than `orderBy`.',
  }),
});

const TopologyDomain = builder.unionType('TopologyDomain', {
  types: [ResourceProvider, Aggregate],
  description: 'A domain of a topology rule: the root of a tree, an aggregate, or a provider with the trait.',
  resolveType: (domain) => ('rootId' in domain ? ResourceProvider : Aggregate),
});

interface DomainOfRule {
  readonly used: UsedDomain;
  readonly level: EngineRule['level'];
  readonly placement: WorkloadPlacement;
  /** Whether the placement has been claimed since. */
  readonly isClaimed: boolean;
}

const DomainUse = objectType<DomainOfRule>('DomainUse', {
  description: 'A domain with consumers of a topology rule.',
  fields: (t) => ({
    domain: t.field({ type: TopologyDomain, description: 'The domain.', resolve: domainOf }),
    consumerCount: t.int({
      description: 'The number of consumers in the domain.',
      resolve: ({ used }) => used.consumers,
    }),
  }),
});

function domainOf(
  { used, level, placement, isClaimed }: DomainOfRule,
  _args: object,
  context: Context,
  info: GraphQLResolveInfo,
) {
  if (level.kind === 'AGGREGATES') return { uuid: level.aggregates[used.domain] };
  const { block, start, end } = treeOf(placement.snapshot, used.treeIndex);
  let row = start;
  if (level.kind === 'TRAIT') while (row < end && block.ids[row] !== used.domain) row++;
  return afterClaim(candidateProvider({ block, row }, isClaimed), context, info);
}

export const RulePlacement = objectType<ReturnType<typeof rulesOf>[number]>('RulePlacement', {
  description: 'The domains that a placement uses of one topology rule.',
  fields: (t) => ({
    rule: t.expose('rule', { type: TopologyRule, description: 'The rule.' }),
    domains: t.expose('domains', {
      type: [DomainUse],
      description: 'The domains with consumers of the rule.',
    }),
    outsideCount: t.exposeInt('outside', {
      description: 'The number of its consumers in no domain. 0 without `allowOutside`.',
    }),
  }),
});

export function rulesOf(placement: WorkloadPlacement, isClaimed = false) {
  return placement.workload.topology.map(({ rule, level }, position) => ({
    rule,
    domains: placement.domains[position].map((used) => ({ used, level, placement, isClaimed })),
    outside: placement.outside[position],
  }));
}
