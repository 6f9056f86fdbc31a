import type { ObjectRef } from '@pothos/core';
import { countsIn, listOwners, orderOfOwners, type Owner, type OwnerOrderField } from './ownerLists.js';
import { pageOf } from '../paging/paging.js';
import { maySee, ownProject, READERS, readersAndProjects, type RuleWithProjects } from '../access/rules.js';
import { builder, query, type Types } from '../builder.js';
import { optionalList, required } from '../inputFields.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS, PAGE_RULES } from '../connection.js';
import type { Context } from '../context.js';
import { consumersField } from './consumer.js';
import { Project, User, Usage } from '../refs.js';
import { entriesOf, orderInput } from '../orderInput.js';

const OwnerOrderInput = orderInput<Exclude<OwnerOrderField, 'used'>, 'used'>('OwnerOrderInput', {
  description: 'A sort key of a list of projects or users.',
  keys: {
    id: 'By `projectId` or `userId`.',
    age: 'By age, from the first consumer on.',
    consumerCount: 'By the number of consumers.',
  },
  classKeys: { used: 'By the usage of a resource class by all its consumers.' },
});

/** The cost of a pass over all consumers in memory. */
const COST_OF_FIGURES = 10_000;

interface OwnerType {
  readonly one: 'project' | 'user';
  /** The description of the count of consumers. */
  readonly counted: string;
  /** The description of the list. */
  readonly listed: string;
  /** The rules of the look-up and of the list. */
  readonly rules: readonly [one: Rule, many: Rule];
}

type Rule = typeof READERS | RuleWithProjects;

/** Adds the type of projects or users, its look-up and its list. */
function addOwnerType(type: ObjectRef<Types, Owner>, { one, counted, listed, rules }: OwnerType): void {
  const key = `${one}Id`;
  const many = `${one}s` as const;
  const column = `${one}_id` as const;

  /** Returns null in place of owners that do not exist or that the viewer may not see. */
  const load = (ids: readonly string[], { loaders, viewer }: Context): Promise<(Owner | null)[]> =>
    Promise.all(
      ids.map((id) =>
        one === 'user' || maySee(viewer, { projectId: id })
          ? loaders.owners(many).load(id)
          : Promise.resolve(null),
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
        resolve: ({ id }, _args, { loaders }) => loaders.consumerCounts(column).load(id),
      }),
      usages: t.field({
        type: [Usage],
        description: 'The usage by its consumers, by class name.',
        resolve: ({ id }, _args, { loaders }) => loaders.usages(column).load(id),
      }),
    }),
  });

  consumersField(type, `${one}Id`, ({ id, externalId }) => ({ id, name: externalId }));

  const OwnerConnection = connectionType(type, { one: `A ${one}`, many, order: 'id by default' });

  query(one, {
    authScopes: rules[0],
    type,
    description: `A ${one} by its id. Null if it never had a consumer.`,
    args: { [key]: required('String', `The id of the ${one}.`) },
    resolve: async (_root, args, context) => (await load([args[key]], context))[0],
  });

  query(many, {
    authScopes: rules[1],
    type: OwnerConnection,
    complexity: ({ orderBy, ...page }) => {
      const figures = orderBy.filter(({ consumerCount, used }) => consumerCount != null || used != null);
      return { ...costOfPage(page), field: 1 + figures.length * COST_OF_FIGURES };
    },
    description: listed,
    args: {
      orderBy: optionalList(OwnerOrderInput, 'The most significant first; ties are sorted by id.'),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { orderBy, ...args }, { database, consumers, loaders, viewer }) => {
      const order = entriesOf(orderBy);
      const page = pageOf(orderOfOwners(order), args);
      const only = one === 'project' ? ownProject(viewer) : null;
      const found = await listOwners({ database, consumers }, many, { only, orderBy: order }, page);
      const counts = loaders.consumerCounts(column);
      for (const [id, count] of countsIn(found, order)) counts.prime(id, count);
      return found;
    },
  });
}

addOwnerType(Project, {
  one: 'project',
  counted: 'The number of its consumers.',
  listed: 'The projects that the viewer may see, by id by default.',
  rules: [
    readersAndProjects({ projectId: 'OWN_PROJECT' }),
    readersAndProjects({ orderBy: 'FREE', ...PAGE_RULES }),
  ],
});

addOwnerType(User, {
  one: 'user',
  counted: 'The number of its consumers in all projects.',
  listed: 'All users, by id by default.',
  rules: [READERS, READERS],
});
