import type { Database } from '../../database/database.js';
import {
  validateAlternatives,
  validateList,
  validateResources,
  validateTraits,
} from '../../domain/providerConditions.js';
import { idsByName } from '../../database/catalogNames.js';
import { builder } from '../builder.js';
import { ResourceAmountInput } from '../allocation/resourceAmount.js';
import { needOf, type ResourceNeed } from './resourceNeed.js';
import { sql, type Sql } from '../../reads/sql.js';

export const ResourceProviderFilter = builder.inputType('ResourceProviderFilter', {
  description:
    'Which providers to list. All given conditions must hold. Traits and aggregates count where they are set ' +
    'directly: neither a root nor a sharing provider lends its own to others here.',
  fields: (t) => ({
    name: t.string({ description: 'The provider with exactly this name.' }),
    uuid: t.field({ type: 'UUID', description: 'The provider with this uuid.' }),
    inTree: t.field({
      type: 'UUID',
      description:
        'Providers of the tree that this provider, any of its members, is in. An unknown uuid finds none.',
    }),
    memberOf: t.field({
      type: t.listRef(t.listRef('UUID', { required: true }), { required: true }),
      required: true,
      defaultValue: [],
      description:
        'Providers that are, for each of the inner lists, in at least one of its aggregates. Unknown aggregates have ' +
        'no members.',
    }),
    forbiddenAggregates: t.field({
      type: ['UUID'],
      required: true,
      defaultValue: [],
      description: 'Providers that are in none of these aggregates.',
    }),
    requiredTraits: t.field({
      type: t.listRef(t.listRef('String', { required: true }), { required: true }),
      required: true,
      defaultValue: [],
      description: 'Providers that have, for each of the inner lists, at least one of its traits.',
    }),
    forbiddenTraits: t.stringList({
      required: true,
      defaultValue: [],
      description: 'Providers that have none of these traits.',
    }),
    resources: t.field({
      type: [ResourceAmountInput],
      required: true,
      defaultValue: [],
      description:
        'Providers that could take all these amounts now, each alone: within what is free, between minUnit and ' +
        'maxUnit, and a multiple of stepSize or exactly minUnit. Each class once.',
    }),
    rootsOnly: t.boolean({ required: true, defaultValue: false, description: 'True: only roots of trees.' }),
  }),
});

export type ProviderFilter = Partial<typeof ResourceProviderFilter.$inferInput>;

/** A filter as conditions on the provider alias `p`. */
export interface CompiledFilter {
  readonly conditions: readonly Sql[];
  readonly needs: readonly ResourceNeed[];
}

/** Throws InvalidInput for what rules 55 and 56 and decisions D7 and D12 refuse. */
export async function compileFilter({ pool }: Database, filter: ProviderFilter): Promise<CompiledFilter> {
  const { requiredTraits = [], forbiddenTraits = [], resources = [] } = filter;
  const { memberOf = [], forbiddenAggregates = [] } = filter;
  const traits = await idsByName(pool, 'traits', [...requiredTraits.flat(), ...forbiddenTraits]);
  const classes = await idsByName(
    pool,
    'resource_classes',
    resources.map(({ resourceClass }) => resourceClass),
  );
  const known = {
    hasTrait: (name: string) => traits.has(name),
    hasClass: (name: string) => classes.has(name),
  };
  validateTraits(
    { required: requiredTraits, forbidden: forbiddenTraits },
    { required: ['filter', 'requiredTraits'], forbidden: ['filter', 'forbiddenTraits'] },
    known,
  );
  validateAlternatives(memberOf, ['filter', 'memberOf']);
  validateList(forbiddenAggregates, ['filter', 'forbiddenAggregates'], 'aggregate');
  validateResources(resources, ['filter', 'resources'], known);

  const idsOf = (names: readonly string[]) => names.map((name) => traits.get(name)!);
  return {
    conditions: [
      ...identity(filter),
      ...requiredTraits.map((names) => hasTraitIn(idsOf(names))),
      ...(forbiddenTraits.length > 0 ? [not(hasTraitIn(idsOf(forbiddenTraits)))] : []),
      ...memberOf.map(isInAggregate),
      ...(forbiddenAggregates.length > 0 ? [not(isInAggregate(forbiddenAggregates))] : []),
    ],
    needs: resources.map(({ resourceClass, amount }, at) =>
      needOf(`i${at}`, classes.get(resourceClass)!, amount),
    ),
  };
}

/** The name is found by its index and then compared exactly, whatever the collation of the database (rule 7). */
function identity({ name, uuid, inTree, rootsOnly }: ProviderFilter): Sql[] {
  return [
    ...(name == null ? [] : [sql('p.name = ? AND CAST(p.name AS BINARY) = CAST(? AS BINARY)', name, name)]),
    ...(uuid == null ? [] : [sql('p.uuid = ?', uuid)]),
    ...(inTree == null
      ? []
      : [
          sql(
            'p.root_provider_id = (SELECT r.root_provider_id FROM resource_providers r WHERE r.uuid = ?)',
            inTree,
          ),
        ]),
    ...(rootsOnly ? [sql('p.parent_provider_id IS NULL')] : []),
  ];
}

function hasTraitIn(traitIds: readonly number[]): Sql {
  return sql(
    'EXISTS (SELECT 1 FROM resource_provider_traits m WHERE m.resource_provider_id = p.id AND m.trait_id IN (?))',
    traitIds,
  );
}

function isInAggregate(uuids: readonly string[]): Sql {
  return sql(
    'EXISTS (SELECT 1 FROM resource_provider_aggregates m JOIN placement_aggregates a ON a.id = m.aggregate_id ' +
      'WHERE m.resource_provider_id = p.id AND a.uuid IN (?))',
    uuids,
  );
}

function not(condition: Sql): Sql {
  return { ...condition, text: `NOT ${condition.text}` };
}
