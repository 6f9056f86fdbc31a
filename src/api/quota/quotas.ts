import { checkExternalId } from '../../model/input.js';
import type { OrderEntry } from '../../model/listing/listOrder.js';
import { OrderedPage, type SortKey, type SortPlace } from '../../model/listing/orderedPage.js';
import {
  quotasOfProjects,
  readGroups,
  readQuotas,
  type Quota as QuotaEntity,
  type QuotaGroup as QuotaGroupEntity,
} from '../../store/quotas/quotaList.js';
import { projectsNamed } from '../../store/quotas/projectNames.js';
import { hiddenFromProjects, ownProject, READERS, readersAndProjects } from '../access/rules.js';
import { builder, meanings, objectType, query } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import { readOwners, type Owner } from '../consumer/ownerLists.js';
import type { Context } from '../context.js';
import { classIdOf } from '../loaders/catalog.js';
import { costOfList } from '../cost/operationCost.js';
import { optional, optionalList } from '../inputFields.js';
import { entriesOf, orderInput } from '../orderInput.js';
import { boundsOf, connectionOf, orderOfKeys, pageOf } from '../paging/paging.js';
import { Project, ResourceClass } from '../refs.js';

export const QuotaGroup = builder.objectRef<QuotaGroupEntity>('QuotaGroup');

const QuotaOwnerKind = builder.enumType('QuotaOwnerKind', {
  description: 'The kind of owner of a quota.',
  values: meanings({
    PROJECT: 'A project.',
    GROUP: 'A group: the limit is for the sum of its projects.',
    DEFAULT: 'Each project without its own limit of the class.',
  }),
});

export const Quota = objectType<QuotaEntity>('Quota', {
  description: 'A limit of a project or a group, for a resource class or the number of consumers.',
  fields: (t) => ({
    resourceClass: t.field({
      type: ResourceClass,
      nullable: true,
      description: 'The resource class. Null for the number of consumers.',
      resolve: ({ resourceClass: name }) => (name === null ? null : { name }),
    }),
    limit: t.expose('maxUsed', { type: 'SafeInt', description: 'The maximum of the counted usage.' }),
    used: t.expose('used', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The counted usage, which may exceed the limit: without ignored types and consumers of `keepOldAs`. Null ' +
        'in a list of defaults.',
    }),
    held: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The part of `used` whose consumers have a hold. Null in a list of defaults.',
      resolve: (quota, _args, { loaders }) => loaders.held.load(quota),
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'True if the limit is the default for projects without their own.',
    }),
    kind: t.expose('ownerKind', { type: QuotaOwnerKind, description: 'The kind of owner.' }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The project. Null for a group and for a default.',
      resolve: ({ projectId, ownerId }) =>
        projectId === null ? null : { id: ownerId, externalId: projectId },
    }),
    group: t.field({
      type: QuotaGroup,
      nullable: true,
      description: 'The group. Null for a project and for a default.',
      resolve: ({ group, ownerId }) => (group === null ? null : { id: ownerId, name: group }),
    }),
  }),
});

QuotaGroup.implement({
  description: 'A group of projects that share quotas. Exists while it has a project or a limit.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The unique name.' }),
    quotas: t.field({
      ...hiddenFromProjects,
      type: [Quota],
      complexity: costOfList(5),
      description: 'The limits of the group. Null for readers of a project.',
      resolve: (group, _args, { loaders }) => loaders.quotasOfGroups.load(group),
    }),
    projects: t.field({
      ...hiddenFromProjects,
      type: [Project],
      complexity: costOfList(10),
      description: 'The projects of the group, by id. Null for readers of a project.',
      resolve: (group, _args, { loaders }) => loaders.projectsOfGroups.load(group),
    }),
  }),
});

builder.objectFields(Project, (t) => ({
  quotas: t.field({
    type: [Quota],
    complexity: costOfList(5),
    description:
      'Its own limits, and the defaults for other classes, by class name; the number of consumers last.',
    resolve: (project, _args, { loaders }) => loaders.quotas.load(project),
  }),
  quotaGroup: t.field({
    type: QuotaGroup,
    nullable: true,
    description: 'The group of projects that it is in. Null if there is none.',
    resolve: (project, _args, { loaders }) => loaders.quotaGroups.load(project),
  }),
}));

interface QuotaFilterInput {
  readonly kind?: 'PROJECT' | 'GROUP' | 'DEFAULT' | null;
  readonly projectId?: string | null;
  readonly group?: string | null;
  readonly resourceClass?: string | null;
  readonly exceeded?: boolean | null;
}

const QuotaFilter = builder.inputType('QuotaFilter', {
  description: 'A condition on quotas. Omitted and null fields do not restrict.',
  fields: () => ({
    kind: optional(QuotaOwnerKind, 'The kind of owner.'),
    projectId: optional('String', 'The limits of a project and the defaults that it has.'),
    group: optional('String', 'The limits of a group, by its name.'),
    resourceClass: optional('String', 'The name of a class. Fails with INVALID_INPUT if it is unknown.'),
    exceeded: optional('Boolean', 'True: the usage is above the limit. False: it is not.'),
  }),
});

type QuotaOrderField = 'owner' | 'resourceClass' | 'limit' | 'used' | 'left' | 'share';

const QuotaOrderInput = orderInput<QuotaOrderField>('QuotaOrderInput', {
  description: 'A sort key of a list of quotas.',
  keys: {
    owner: 'By the id of the project or the name of the group. Defaults come last.',
    resourceClass: 'By the name of the class. The number of consumers comes last.',
    limit: 'By the limit.',
    used: 'By the counted usage.',
    left: 'By the limit less the usage.',
    share: 'By used / limit.',
  },
  classKeys: {},
});

const KEYS: Readonly<Record<QuotaOrderField, (quota: QuotaEntity) => SortKey>> = {
  owner: ({ projectId, group }) => projectId ?? group,
  resourceClass: ({ resourceClass }) => resourceClass,
  limit: ({ maxUsed }) => maxUsed,
  used: ({ used }) => used,
  left: ({ maxUsed, used }) => (used === null ? null : maxUsed - used),
  share: ({ maxUsed, used }) => (used === null ? null : used / Math.max(maxUsed, 1)),
};

interface ListedQuota extends QuotaEntity {
  readonly place: SortPlace;
}

const QuotaConnection = connectionType(Quota, { one: 'A quota', many: 'quotas', order: 'owner by default' });

/** The cost of reading all limits. */
const COST_OF_LIMITS = 1_000;

const BY_OWNER: readonly OrderEntry<QuotaOrderField>[] = [
  { field: 'owner', direction: 'ASC' },
  { field: 'resourceClass', direction: 'ASC' },
];

query('quotas', {
  authScopes: readersAndProjects({
    'filter.projectId': 'OWN_PROJECT',
    'filter.group': 'FREE',
    'filter.kind': 'FREE',
    'filter.resourceClass': 'FREE',
    'filter.exceeded': 'FREE',
    orderBy: 'FREE',
    ...PAGE_RULES,
  }),
  type: QuotaConnection,
  complexity: (args) => ({ ...costOfPage(args), field: COST_OF_LIMITS }),
  description: 'Limits of projects and groups. Readers of a project see those of their project.',
  args: {
    filter: optional(QuotaFilter, 'Defaults to all limits.'),
    orderBy: optionalList(QuotaOrderInput, 'The most significant first. Defaults to owner, then class.'),
    ...PAGE_ARGUMENTS,
  },
  resolve: async (_root, { filter, orderBy, ...args }, context) => {
    const given = entriesOf(orderBy);
    const order = given.length > 0 ? given : BY_OWNER;
    const page = pageOf(orderOfKeys<ListedQuota>(order), args);
    const matching = await quotasMatching(context, filter ?? {});
    const keyOf = [...order.map(({ field }) => KEYS[field]), ({ id }: QuotaEntity): SortKey => id];
    const directions = [...order.map(({ direction }) => direction === 'DESC'), false];
    const found = new OrderedPage<QuotaEntity>({ keyOf, directions }, boundsOf(page));
    for (const quota of matching) if (found.isWanted(quota)) found.add(quota);
    const listed = found.rows.map(({ item, place }): ListedQuota => ({ ...item, place }));
    return connectionOf(orderOfKeys<ListedQuota>(order), page, listed, () =>
      Promise.resolve(matching.length),
    );
  },
});

async function quotasMatching(
  { database, viewer }: Context,
  { kind, projectId, group, resourceClass, exceeded }: QuotaFilterInput,
): Promise<QuotaEntity[]> {
  const own = ownProject(viewer);
  const project = projectId ?? own;
  if (project !== null) checkExternalId(project, ['filter', 'projectId'], 'project');
  await classIdOf(database, resourceClass, ['filter', 'resourceClass']);
  const quotas =
    project === null ? await readQuotas(database.pool) : await quotasOf(database, project, own !== null);
  return quotas.filter(
    (quota) =>
      (kind == null || quota.ownerKind === kind) &&
      (group == null || quota.group === group) &&
      (resourceClass == null || quota.resourceClass === resourceClass) &&
      (exceeded == null || (quota.used !== null && quota.used > quota.maxUsed) === exceeded),
  );
}

/** @param isExact whether the spelling must match. Readers of a project see only a project with exactly their id. */
async function quotasOf(
  database: Context['database'],
  projectId: string,
  isExact: boolean,
): Promise<QuotaEntity[]> {
  const owners: Owner[] = isExact
    ? await readOwners(database, 'projects', [projectId])
    : [...(await projectsNamed(database.pool, [projectId])).values()];
  return [...(await quotasOfProjects(database.pool, owners)).values()].flat();
}

query('quotaGroups', {
  authScopes: READERS,
  type: [QuotaGroup],
  complexity: costOfList(10),
  description: 'All groups of projects, by name.',
  resolve: (_root, _args, { database }) => readGroups(database.pool),
});
