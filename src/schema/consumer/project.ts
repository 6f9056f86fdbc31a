import {
  countsIn,
  listOwners,
  orderOfOwners,
  readOwners,
  type Owner as ProjectRow,
} from '../../reads/consumer/owners.js';
import { pageOf } from '../../reads/paging/paging.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { connectionType, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import { costOfOwners, OwnerOrderInput, WHAT_COMES_FIRST } from './ownerOrder.js';
import { Usage } from '../provider/usage.js';
import { maySee, ownProject, readersAndProjects } from '../access/rules.js';

const Project = builder.objectRef<ProjectRow>('Project');

/** Those of the projects that there are and that the viewer may see; null in place of the others. */
async function visibleProjects(
  projectIds: readonly string[],
  { database, viewer }: Context,
): Promise<(ProjectRow | null)[]> {
  const visible = projectIds.filter((projectId) => maySee(viewer, { projectId }));
  const found = await readOwners(database, 'projects', visible);
  const known = new Map(found.map((project) => [project.externalId, project]));
  return projectIds.map((projectId) => known.get(projectId) ?? null);
}

builder.node(Project, {
  name: 'Project',
  description:
    'A project that has, or once had, consumers. It comes into being with its first consumer and stays.',
  id: { resolve: ({ externalId }) => externalId },
  loadMany: visibleProjects,
  fields: (t) => ({
    projectId: t.exposeString('externalId', { description: 'Its id, as the clients named it. Unique.' }),
    consumerCount: t.int({
      description: 'How many consumers it has.',
      resolve: ({ id }, _args, { loaders }) => loaders.consumerCountOfProject.load(id),
    }),
    usages: t.field({
      type: [Usage],
      description:
        'How much its consumers use together of each class that any of them uses, by the name of the class. Costs a read of ' +
        'all their allocations.',
      resolve: ({ id }, _args, { loaders }) => loaders.usagesOfProjects.load(id),
    }),
  }),
});

const ProjectConnection = connectionType(Project, {
  one: 'A project',
  many: 'projects',
  order: 'id unless ordered otherwise',
});

builder.queryField('project', (t) =>
  t.field({
    authScopes: readersAndProjects({ projectId: 'OWN_PROJECT' }),
    type: Project,
    nullable: true,
    description: 'The project with this id; null when it never had a consumer.',
    args: { projectId: t.arg.string({ required: true, description: 'Its id, as the clients named it.' }) },
    resolve: async (_root, { projectId }, context) => (await visibleProjects([projectId], context))[0],
  }),
);

builder.queryField('projects', (t) =>
  t.field({
    authScopes: readersAndProjects({ orderBy: 'FREE', ...PAGE_RULES }),
    type: ProjectConnection,
    complexity: costOfOwners,
    description:
      'Every project, by id or as `orderBy` says, page by page. A page that is too large, or a bad cursor, is INVALID_INPUT.',
    args: {
      orderBy: t.arg({
        type: [OwnerOrderInput],
        required: true,
        defaultValue: [],
        description: WHAT_COMES_FIRST,
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { orderBy, ...args }, { database, consumers, loaders, viewer }) => {
      const page = pageOf(orderOfOwners(orderBy), args);
      const only = ownProject(viewer);
      const found = await listOwners({ database, consumers }, 'projects', { only, orderBy }, page);
      for (const [id, count] of countsIn(found, orderBy)) loaders.consumerCountOfProject.prime(id, count);
      return found;
    },
  }),
);
