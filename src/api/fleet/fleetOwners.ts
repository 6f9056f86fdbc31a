import { execute, tables } from '../../store/sql/statements.js';
import { hiddenFromProjects } from '../access/rules.js';
import { builder, objectType, query } from '../builder.js';
import { costOfList } from '../cost/operationCost.js';
import { optional } from '../inputFields.js';
import { membersField } from '../connection.js';
import { OwnedPart } from '../provider/providerTrees.js';
import { ResourceProvider } from '../refs.js';

interface Ownership {
  readonly owner: string;
  readonly kind: typeof OwnedPart.$inferType;
  readonly name: string;
}

const OwnershipType = objectType<Ownership>('Ownership', {
  description: 'The owner of a provider, or of one of its inventories, traits or aggregates.',
  fields: (t) => ({
    owner: t.exposeString('owner', { description: 'The owner, as applyProviderTrees states it.' }),
    part: t.expose('kind', { type: OwnedPart, description: 'The kind of the part.' }),
    name: t.exposeString('name', {
      description: 'The name of the provider, resource class or trait, or the uuid of the aggregate.',
    }),
  }),
});

builder.objectField(ResourceProvider, 'ownerships', (t) =>
  t.field({
    ...hiddenFromProjects,
    type: [OwnershipType],
    description:
      'The owners of the provider and of its parts, by part and name. Parts without an owner are omitted. Null for ' +
      'readers of a project.',
    resolve: async (source, _args, { loaders }) => [...(await loaders.ownerships.of(source))],
  }),
);

interface Owner {
  readonly name: string;
  readonly providerCount: number;
}

const FleetOwner = objectType<Owner>('FleetOwner', {
  description: 'An owner of parts of the fleet. Exists while it owns a part.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The unique name.' }),
    providerCount: t.exposeInt('providerCount', { description: 'The number of providers that it owns.' }),
  }),
});

membersField(FleetOwner, 'The roots that the owner owns, by name.', ({ name }, page, { loaders }) =>
  loaders.rootsOfOwner.page(name, page),
);
membersField(
  FleetOwner,
  'The roots of the trees in which the owner owns a part, by name.',
  ({ name }, page, { loaders }) => loaders.treesOfOwner.page(name, page),
  'trees',
);

const OWNERS = tables
  .selectFrom('placement_ownerships as o')
  .leftJoin('resource_providers as p', (join) =>
    join.onRef('p.id', '=', 'o.provider_id').on('o.kind', '=', 'PROVIDER'),
  )
  .groupBy('o.owner')
  .orderBy('o.owner')
  .select(({ fn }) => ['o.owner as name', fn.count<number>('p.id').as('providerCount')]);

query('fleetOwners', {
  type: [FleetOwner],
  complexity: costOfList(10),
  description: 'The owners of parts of the fleet, by name.',
  args: { name: optional('String', 'The owner with this name. Defaults to all owners.') },
  resolve: (_root, { name }, { database }) =>
    execute(database.pool, name == null ? OWNERS : OWNERS.where('o.owner', '=', name)),
});
