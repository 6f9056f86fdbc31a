import { encodeGlobalID } from '@pothos/plugin-relay';
import { isStandard } from '../../database/catalog.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { createResourceClass, deleteResourceClass } from '../../ledger/catalog/resourceClasses.js';
import { ConcurrentUpdate, NotFound, ResourceClassInUse, StandardIsImmutable } from '../../ledger/errors.js';
import { readResourceClasses } from '../../reads/catalog.js';
import { builder } from '../builder.js';
import { costOfList } from '../cost.js';
import { rejections } from '../errors.js';
import { ResourceClass } from '../refs.js';

builder.node(ResourceClass, {
  name: 'ResourceClass',
  description: 'A kind of resource that is counted, such as VCPU or DISK_GB.',
  id: { resolve: ({ name }) => name },
  loadMany: async (names, { database }) => {
    const known = new Map((await readResourceClasses(database, names)).map((entry) => [entry.name, entry]));
    return names.map((name) => known.get(name) ?? null);
  },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, 1 to 255 of A-Z, 0-9 and _. Unique.' }),
    isStandard: t.boolean({
      description:
        'True for the classes that every deployment has; false for those created here (CUSTOM_...).',
      resolve: ({ name }) => isStandard(name),
    }),
  }),
});

builder.queryFields((t) => ({
  resourceClass: t.field({
    type: ResourceClass,
    nullable: true,
    description: 'The resource class with this name; null when there is none.',
    args: { name: t.arg.string({ required: true, description: 'Its whole name, in its own case.' }) },
    resolve: async (_root, { name }, { database }) => {
      const [found] = await readResourceClasses(database, [name]);
      return found ?? null;
    },
  }),
  resourceClasses: t.field({
    type: [ResourceClass],
    complexity: costOfList(50),
    description: 'All resource classes, by name.',
    resolve: (_root, _args, { database }) => readResourceClasses(database),
  }),
}));

const CreateResourceClassInput = builder.inputType('CreateResourceClassInput', {
  description: 'The resource class to create.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'CUSTOM_ and at least one more of A-Z, 0-9 and _; at most 255 characters.',
    }),
  }),
});

const DeleteResourceClassInput = builder.inputType('DeleteResourceClassInput', {
  description: 'The resource class to delete.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Its whole name, in its own case.' }) }),
});

const CreateResourceClassPayload = builder
  .objectRef<{ name: string; created: boolean }>('CreateResourceClassPayload')
  .implement({
    description: 'The resource class is there.',
    fields: (t) => ({
      resourceClass: t.field({ type: ResourceClass, description: 'The class.', resolve: (source) => source }),
      created: t.exposeBoolean('created', { description: 'False when it was there already.' }),
    }),
  });

const DeleteResourceClassPayload = builder
  .objectRef<{ name: string }>('DeleteResourceClassPayload')
  .implement({
    description: 'The resource class is gone.',
    fields: (t) => ({
      id: t.id({
        description: 'The global id that it had.',
        resolve: ({ name }) => encodeGlobalID('ResourceClass', name),
      }),
      name: t.exposeString('name', { description: 'The name that it had.' }),
    }),
  });

builder.mutationFields((t) => ({
  createResourceClass: t.field({
    type: CreateResourceClassPayload,
    description:
      'Creates a custom resource class. One that is there already is left as it is: a success as well.',
    args: {
      input: t.arg({ type: CreateResourceClassInput, required: true, description: 'What to create.' }),
    },
    errors: rejections('createResourceClass', InvalidInput, ConcurrentUpdate),
    resolve: (_root, { input }, { ledger }) => createResourceClass(ledger, input),
  }),
  deleteResourceClass: t.field({
    type: DeleteResourceClassPayload,
    description: 'Deletes a custom resource class of which no provider has an inventory.',
    args: {
      input: t.arg({ type: DeleteResourceClassInput, required: true, description: 'What to delete.' }),
    },
    errors: rejections(
      'deleteResourceClass',
      NotFound,
      StandardIsImmutable,
      ResourceClassInUse,
      ConcurrentUpdate,
    ),
    resolve: (_root, { input }, { ledger }) => deleteResourceClass(ledger, input),
  }),
}));
