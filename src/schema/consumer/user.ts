import { countsIn, listOwners, orderOfOwners } from '../../reads/consumer/owners.js';
import { pageOf } from '../../reads/paging/paging.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import { connectionType, PAGE_ARGUMENTS } from '../connection.js';
import { Usage } from '../provider/usage.js';
import { User } from '../refs.js';
import { costOfOwners, OwnerOrderInput, ORDER } from './ownerOrder.js';

builder.node(User, {
  name: 'User',
  description: 'A user. Exists from its first consumer on.',
  id: { resolve: ({ externalId }) => externalId },
  loadMany: (userIds, { loaders }) => Promise.all(userIds.map((userId) => loaders.users.load(userId))),
  fields: (t) => ({
    userId: t.exposeString('externalId', { description: 'The unique id of the user, as set by clients.' }),
    consumerCount: t.int({
      description: 'The number of its consumers in all projects.',
      resolve: ({ id }, _args, { loaders }) => loaders.consumerCountOfUser.load(id),
    }),
    usages: t.field({
      type: [Usage],
      description: 'The usage by its consumers, by class name.',
      resolve: ({ id }, _args, { loaders }) => loaders.usagesOfUsers.load(id),
    }),
  }),
});

const UserConnection = connectionType(User, {
  one: 'A user',
  many: 'users',
  order: 'id by default',
});

builder.queryField('user', (t) =>
  t.field({
    authScopes: READERS,
    type: User,
    nullable: true,
    description: 'A user by its id. Null if it never had a consumer.',
    args: { userId: t.arg.string({ required: true, description: 'The id of the user.' }) },
    resolve: (_root, { userId }, { loaders }) => loaders.users.load(userId),
  }),
);

builder.queryField('users', (t) =>
  t.field({
    authScopes: READERS,
    type: UserConnection,
    nullable: true,
    complexity: costOfOwners,
    description: 'All users, by id by default.',
    args: {
      orderBy: t.arg({
        type: [OwnerOrderInput],
        required: true,
        defaultValue: [],
        description: ORDER,
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { orderBy, ...args }, { database, consumers, loaders }) => {
      const page = pageOf(orderOfOwners(orderBy), args);
      const found = await listOwners({ database, consumers }, 'users', { only: null, orderBy }, page);
      for (const [id, count] of countsIn(found, orderBy)) loaders.consumerCountOfUser.prime(id, count);
      return found;
    },
  }),
);
