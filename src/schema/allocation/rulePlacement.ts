import { treeOf, type ProviderRef } from '../../engine/model/snapshot.js';
import type { TopologyRule as EngineRule } from '../../engine/workload/workload.js';
import type { UsedDomain } from '../../engine/workload/workloadSearch.js';
import type { WorkloadPlacement } from '../../placement/workloadPlacement.js';
import { builder, objectType } from '../builder.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { BOUNDED_ABOVE } from '../cost/fieldCost.js';
import { Aggregate, ResourceProvider } from '../refs.js';
import { TopologyRule } from './claimInput.js';

const TopologyDomain = builder.unionType('TopologyDomain', {
  types: [ResourceProvider, Aggregate],
  description: 'A domain of a topology rule: the root of a tree, an aggregate, or a provider with the trait.',
  resolveType: (domain) => (domain instanceof SnapshotProvider ? ResourceProvider : Aggregate),
});

interface DomainOfRule {
  readonly used: UsedDomain;
  readonly level: EngineRule['level'];
  readonly placement: WorkloadPlacement;
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

function domainOf({ used, level, placement }: DomainOfRule) {
  if (level.kind === 'AGGREGATES') return { uuid: level.aggregates[used.domain] };
  const { block, start, end } = treeOf(placement.snapshot, used.treeIndex);
  let row = start;
  if (level.kind === 'TRAIT') while (row < end && block.ids[row] !== used.domain) row++;
  return new SnapshotProvider({ block, row } satisfies ProviderRef);
}

export const RulePlacement = objectType<ReturnType<typeof rulesOf>[number]>('RulePlacement', {
  description: 'The domains that a placement uses of one topology rule.',
  fields: (t) => ({
    rule: t.expose('rule', { type: TopologyRule, description: 'The rule.' }),
    domains: t.expose('domains', {
      type: [DomainUse],
      extensions: BOUNDED_ABOVE,
      description: 'The domains with consumers of the rule.',
    }),
    outsideCount: t.exposeInt('outside', {
      description: 'The number of its consumers in no domain. 0 without `allowOutside`.',
    }),
  }),
});

export function rulesOf(placement: WorkloadPlacement) {
  return placement.workload.topology.map(({ rule, level }, position) => ({
    rule,
    domains: placement.domains[position].map((used) => ({ used, level, placement })),
    outside: placement.outside[position],
  }));
}
