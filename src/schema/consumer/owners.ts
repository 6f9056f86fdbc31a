import type { ObjectRef } from '@pothos/core';
import {
  countsIn,
  listOwners,
  orderOfOwners,
  type Owner,
  type OwnerOrderField,
} from '../../reads/consumer/owners.js';
import { pageOf } from '../../reads/paging/paging.js';
import { maySee, ownProject, READERS, readersAndProjects, type RuleWithProjects } from '../access/rules.js';
import { builder, type Types } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import type { Context } from '../context.js';
import { Usage } from '../provider/usage.js';
import { Project, User } from '../refs.js';
import { entriesOf, orderInput, type OrderInput } from '../orderInput.js';

const OwnerOrderInput = orderInput<Exclude<OwnerOrderField, 'used'>, 'used'>('OwnerOrderInput', {
  description: 'A sort key of a list of projects or users.',
  keys: {
    id: 'By `projectId` or `userId`.',
    age: 'By age, from the first consumer on.',
    consumerCount: 'By the number of consumers.',
  },
  classKeys: { used: 'By the usage of a resource class by all its consumers.' },
});

const ORDER = 'The most significant first; ties are sorted by id.';

/** The cost of a pass over all consumers in memory. */
const COST_OF_FIGURES = 10_000;

function costOfOwners({
  orderBy,
  ...page
}: {
  readonly orderBy: readonly OrderInput<OwnerOrderField>[];
  readonly first?: number | null;
  readonly last?: number | null;
}) {
  const figures = orderBy.filter(({ consumerCount, used }) => consumerCount != null || used != null).length;
  return { ...costOfPage(page), field: 1 + figures * COST_OF_FIGURES };
}

interface OwnerType {
  readonly one: 'project' | 'user';
  readonly many: 'projects' | 'users';
  readonly counts: 'consumerCountOfProject' | 'consumerCountOfUser';
  readonly usages: 'usagesOfProjects' | 'usagesOfUsers';
  /** The description of the count of consumers. */
  readonly counted: string;
  /** The description of the list. */
  readonly listed: string;
  /** The rules of the look-up and of the list. */
  readonly rules: readonly [one: Rule, many: Rule];
}

type Rule = typeof READERS | RuleWithProjects;

/** Adds the type of projects or users, its look-up and its list. */
function addOwnerType(type: ObjectRef<Types, Owner>, options: OwnerType): void {
  const { one, many, counts, usages, counted, listed, rules } = options;
  const key = `${one}Id`;

  /** Returns null in place of owners that do not exist or that the viewer may not see. */
  const load = (ids: readonly string[], { loaders, viewer }: Context): Promise<(Owner | null)[]> =>
    Promise.all(
      ids.map((id) =>
        one === 'user' || maySee(viewer, { projectId: id }) ? loaders[many].load(id) : Promise.resolve(null),
      ),
    );

  builder.node(type, {
    name: type.name,
    description: `A ${one}. Exists from its first consumer on.`,
    id: { resolve: ({ externalId }) => externalId },
    loadMany: load,
    fields: (t) => ({
      [key]: t.exposeString('externalId', { description: `The unique id of the ${one}, as set by clients.` }),
      consumerCount: t.int({
        description: counted,
        resolve: ({ id }, _args, { loaders }) => loaders[counts].load(id),
      }),
      usages: t.field({
        type: [Usage],
        description: 'The usage by its consumers, by class name.',
        resolve: ({ id }, _args, { loaders }) => loaders[usages].load(id),
      }),
    }),
  });

  const OwnerConnection = connectionType(type, { one: `A ${one}`, many, order: 'id by default' });

  builder.queryField(one, (t) =>
    t.field({
      authScopes: rules[0],
      type,
      nullable: true,
      description: `A ${one} by its id. Null if it never had a consumer.`,
      args: { [key]: t.arg.string({ required: true, description: `The id of the ${one}.` }) },
      resolve: async (_root, args, context) => (await load([args[key]], context))[0],
    }),
  );

  builder.queryField(many, (t) =>
    t.field({
      authScopes: rules[1],
      type: OwnerConnection,
      nullable: true,
      complexity: costOfOwners,
      description: listed,
      args: {
        orderBy: t.arg({ type: [OwnerOrderInput], required: true, defaultValue: [], description: ORDER }),
        ...PAGE_ARGUMENTS,
      },
      resolve: async (_root, { orderBy, ...args }, { database, consumers, loaders, viewer }) => {
        const order = entriesOf(orderBy);
        const page = pageOf(orderOfOwners(order), args);
        const only = one === 'project' ? ownProject(viewer) : null;
        const found = await listOwners({ database, consumers }, many, { only, orderBy: order }, page);
        for (const [id, count] of countsIn(found, order)) loaders[counts].prime(id, count);
        return found;
      },
    }),
  );
}

addOwnerType(Project, {
  one: 'project',
  many: 'projects',
  counts: 'consumerCountOfProject',
  usages: 'usagesOfProjects',
  counted: 'The number of its consumers.',
  listed: 'The projects that the viewer may see, by id by default.',
  rules: [
    readersAndProjects({ projectId: 'OWN_PROJECT' }),
    readersAndProjects({ orderBy: 'FREE', ...PAGE_RULES }),
  ],
});

addOwnerType(User, {
  one: 'user',
  many: 'users',
  counts: 'consumerCountOfUser',
  usages: 'usagesOfUsers',
  counted: 'The number of its consumers in all projects.',
  listed: 'All users, by id by default.',
  rules: [READERS, READERS],
});
