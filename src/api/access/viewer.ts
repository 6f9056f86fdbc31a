import type { GraphQLSchema } from 'graphql';
import { ROLES, type Role, type Viewer as Credentials } from '../../model/viewer.js';
import { InvalidInput } from '../../model/input.js';
import { builder, meanings, objectType, query } from '../builder.js';
import { required } from '../inputFields.js';
import { didYouMean, nearest } from '../names.js';
import { Project } from '../refs.js';
import { type Access, accessBy, everyone, ruleOf, scopesOf } from './rules.js';

const RoleEnum = builder.enumType('Role', {
  description: 'A role of a viewer.',
  values: meanings<Uppercase<Role>>({
    ADMIN: 'Reads and writes everything.',
    SERVICE: 'Reads and writes everything, and may reshape trees.',
    READER: 'Reads the whole cloud, or the objects of its project if it has one.',
    MEMBER: 'Reads the objects of the project.',
  }),
});

const AccessEnum = builder.enumType('Access', {
  description: 'Whether the viewer may use an operation.',
  values: {
    YES: { value: 'yes', description: 'For all objects.' },
    OWN_PROJECT: { value: 'own', description: "For objects of the viewer's project." },
    NO: { value: 'no', description: 'It fails with FORBIDDEN.' },
  } satisfies Record<string, { value: Access; description: string }>,
});

/** The viewer of a server without authentication. */
const ANONYMOUS: Credentials = {
  userId: 'anonymous',
  roles: new Set(ROLES),
  projectId: null,
  expiresAt: null,
};

const Viewer = objectType<Credentials>('Viewer', {
  description: 'The sender of the request.',
  fields: (t) => ({
    subject: t.exposeString('userId', {
      description: 'The id of the user; "anonymous" without authentication.',
    }),
    roles: t.field({
      type: [RoleEnum],
      description: 'The roles; all without authentication.',
      resolve: ({ roles }) => [...roles].map((role) => role.toUpperCase() as Uppercase<Role>),
    }),
    projectId: t.exposeString('projectId', {
      nullable: true,
      description: 'The id of the project. Null for the whole cloud.',
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description:
        'The project. Null for the whole cloud, before its first consumer, and without a role to read it.',
      resolve: ({ projectId }, _args, { loaders, viewer }) => {
        const { reader, projectReader } = scopesOf(viewer);
        return projectId !== null && (reader || projectReader)
          ? loaders.owners('projects').load(projectId)
          : null;
      },
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The expiry of the credentials. Null if they do not expire.',
      resolve: ({ expiresAt }) => (expiresAt === null ? null : new Date(expiresAt)),
    }),
    may: t.field({
      type: AccessEnum,
      description: 'Whether the viewer may use an operation. Some arguments require more.',
      args: {
        operation: required('String', 'A field of a root type. An unknown one fails with INVALID_INPUT.'),
      },
      resolve: (_source, { operation }, { viewer }, { schema }) =>
        accessBy(ruleOf(operationOf(schema, operation)), scopesOf(viewer)),
    }),
  }),
});

function operationOf(schema: GraphQLSchema, name: string) {
  const types = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const fields = Object.fromEntries(types.flatMap((type) => Object.entries(type.getFields())));
  if (Object.hasOwn(fields, name)) return fields[name];
  const message = `${JSON.stringify(name.slice(0, 60))} is not an operation`;
  throw new InvalidInput(['operation'], message + didYouMean(nearest(name, Object.keys(fields))));
}

query('viewer', {
  authScopes: everyone,
  type: Viewer,
  description: 'The sender of the request.',
  resolve: (_root, _args, { viewer }) => viewer ?? ANONYMOUS,
});
