import {
  listProjects,
  ORDER_OF_PROJECTS,
  type Project as ProjectRow,
} from '../../reads/consumer/projects.js';
import { pageOf } from '../../reads/paging/paging.js';
import { builder } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { Usage } from '../provider/usage.js';
import { readersAndProjects } from '../access/rules.js';
import { ownProject } from '../access/ownProject.js';

const Project = builder.objectRef<ProjectRow>('Project').implement({
  description:
    'A project that has, or once had, consumers. It comes into being with its first consumer and stays.',
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

const ProjectConnection = connectionType(Project, { one: 'A project', many: 'projects', order: 'id' });

builder.queryField('projects', (t) =>
  t.field({
    authScopes: readersAndProjects({ first: 'FREE', after: 'FREE' }),
    type: ProjectConnection,
    nullable: true,
    complexity: costOfPage,
    description:
      'Every project, by id, page by page. A page that is too large, or a bad cursor, is INVALID_INPUT.',
    args: PAGE_ARGUMENTS,
    resolve: (_root, args, { database, viewer }) =>
      listProjects(database, ownProject(viewer), pageOf(ORDER_OF_PROJECTS, args)),
  }),
);
