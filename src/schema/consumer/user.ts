import {
  countsIn,
  listOwners,
  orderOfOwners,
  readOwners,
  type Owner as OwnerRow,
} from '../../reads/consumer/owners.js';
import { pageOf } from '../../reads/paging/paging.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { connectionType, PAGE_ARGUMENTS } from '../connection.js';
import { Usage } from '../provider/usage.js';
import { costOfOwners, OwnerOrderInput, WHAT_COMES_FIRST } from './ownerOrder.js';

const User = builder.objectRef<OwnerRow>('User');

builder.node(User, {
  name: 'User',
  description: 'A user who has, or once had, consumers, in whatever projects. It stays when they are gone.',
  id: { resolve: ({ externalId }) => externalId },
  async loadMany(userIds: readonly string[], { database }: Context) {
    const found = new Map(
      (await readOwners(database, 'users', userIds)).map((user) => [user.externalId, user]),
    );
    return userIds.map((userId) => found.get(userId) ?? null);
  },
  fields: (t) => ({
    userId: t.exposeString('externalId', { description: 'Its id, as the clients named it. Unique.' }),
    consumerCount: t.int({
      description: 'How many consumers it has, in all projects. Costs a pass over all consumers.',
      resolve: ({ id }, _args, { loaders }) => loaders.consumerCountOfUser.load(id),
    }),
    usages: t.field({
      type: [Usage],
      description:
        'How much its consumers use together of each class that any of them uses, by the name of the class. Costs a read of ' +
        'all their allocations.',
      resolve: ({ id }, _args, { loaders }) => loaders.usagesOfUsers.load(id),
    }),
  }),
});

const UserConnection = connectionType(User, {
  one: 'A user',
  many: 'users',
  order: 'id unless ordered otherwise',
});

builder.queryField('user', (t) =>
  t.field({
    authScopes: READERS,
    type: User,
    nullable: true,
    description: 'The user with this id. Null if the user never had a consumer.',
    args: { userId: t.arg.string({ required: true, description: 'The id of the user, as set by clients.' }) },
    resolve: async (_root, { userId }, { database }) =>
      (await readOwners(database, 'users', [userId])).at(0) ?? null,
  }),
);

builder.queryField('users', (t) =>
  t.field({
    authScopes: READERS,
    type: UserConnection,
    complexity: costOfOwners,
    description:
      'Every user, by id or as `orderBy` says, page by page. A page that is too large, or a bad cursor, is INVALID_INPUT.',
    args: {
      orderBy: t.arg({
        type: [OwnerOrderInput],
        required: true,
        defaultValue: [],
        description: WHAT_COMES_FIRST,
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
