import { countsIn, listOwners, orderOfOwners, type Owner } from '../../reads/consumer/owners.js';
import { pageOf } from '../../reads/paging/paging.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { connectionType, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import { costOfOwners, OwnerOrderInput, ORDER } from './ownerOrder.js';
import { Usage } from '../provider/usage.js';
import { Project } from '../refs.js';
import { maySee, ownProject, readersAndProjects } from '../access/rules.js';

/** Returns the projects that exist and that the viewer may see, null in place of others. */
function visibleProjects(
  projectIds: readonly string[],
  { loaders, viewer }: Context,
): Promise<(Owner | null)[]> {
  return Promise.all(
    projectIds.map((projectId) =>
      maySee(viewer, { projectId }) ? loaders.projects.load(projectId) : Promise.resolve(null),
    ),
  );
}

builder.node(Project, {
  name: 'Project',
  description: 'A project. Exists from its first consumer on.',
  id: { resolve: ({ externalId }) => externalId },
  loadMany: visibleProjects,
  fields: (t) => ({
    projectId: t.exposeString('externalId', {
      description: 'The unique id of the project, as set by clients.',
    }),
    consumerCount: t.int({
      description: 'The number of its consumers.',
      resolve: ({ id }, _args, { loaders }) => loaders.consumerCountOfProject.load(id),
    }),
    usages: t.field({
      type: [Usage],
      description: 'The usage by its consumers, by class name.',
      resolve: ({ id }, _args, { loaders }) => loaders.usagesOfProjects.load(id),
    }),
  }),
});

const ProjectConnection = connectionType(Project, {
  one: 'A project',
  many: 'projects',
  order: 'id by default',
});

builder.queryField('project', (t) =>
  t.field({
    authScopes: readersAndProjects({ projectId: 'OWN_PROJECT' }),
    type: Project,
    nullable: true,
    description: 'A project by its id. Null if it never had a consumer.',
    args: { projectId: t.arg.string({ required: true, description: 'The id of the project.' }) },
    resolve: async (_root, { projectId }, context) => (await visibleProjects([projectId], context))[0],
  }),
);

builder.queryField('projects', (t) =>
  t.field({
    authScopes: readersAndProjects({ orderBy: 'FREE', ...PAGE_RULES }),
    type: ProjectConnection,
    nullable: true,
    complexity: costOfOwners,
    description: 'The projects that the viewer may see, by id by default.',
    args: {
      orderBy: t.arg({
        type: [OwnerOrderInput],
        required: true,
        defaultValue: [],
        description: ORDER,
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
