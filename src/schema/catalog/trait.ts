import { encodeGlobalID } from '@pothos/plugin-relay';
import { isStandard } from '../../database/catalog.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { ConcurrentUpdate, NotFound, StandardIsImmutable, TraitInUse } from '../../ledger/errors.js';
import { createTrait, deleteTrait } from '../../ledger/provider/traits.js';
import { readTraits } from '../../reads/catalog.js';
import { builder } from '../builder.js';
import { membersField } from '../connection.js';
import { costOfList } from '../cost.js';
import { rejections } from '../errors.js';
import { Trait } from '../refs.js';

builder.node(Trait, {
  name: 'Trait',
  description:
    'A yes-or-no quality of a resource provider, such as HW_CPU_X86_AVX2. It belongs to the provider that it is set ' +
    'on and to no other of its tree.',
  id: { resolve: ({ name }) => name },
  loadMany: async (names, { database }) => {
    const known = new Map(
      (await readTraits(database, { nameIn: names })).map((entry) => [entry.name, entry]),
    );
    return names.map((name) => known.get(name) ?? null);
  },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, 1 to 255 characters. Unique.' }),
    isStandard: t.boolean({
      description:
        'True for the traits that every deployment has; false for those created here (CUSTOM_...).',
      resolve: ({ name }) => isStandard(name),
    }),
  }),
});

membersField(Trait, 'The providers that have the trait, by name.', ({ name }, page, { loaders }) =>
  loaders.providersWithTrait.page(name, page),
);

const TraitFilter = builder.inputType('TraitFilter', {
  description: 'Which traits to list. All given conditions must hold.',
  fields: (t) => ({
    nameIn: t.stringList({ description: 'Only traits with one of these names; an empty list finds none.' }),
    startsWith: t.string({ description: 'Only traits whose name starts with exactly this text.' }),
    associated: t.boolean({
      description: 'True: only traits that some provider has. False: only traits that no provider has.',
    }),
  }),
});

builder.queryFields((t) => ({
  trait: t.field({
    type: Trait,
    nullable: true,
    description: 'The trait with this name; null when there is none.',
    args: { name: t.arg.string({ required: true, description: 'Its whole name, in its own case.' }) },
    resolve: async (_root, { name }, { database }) => {
      const [found] = await readTraits(database, { nameIn: [name] });
      return found ?? null;
    },
  }),
  traits: t.field({
    type: [Trait],
    nullable: true,
    complexity: costOfList(400),
    description: 'The traits of the catalog, by name.',
    args: { filter: t.arg({ type: TraitFilter, description: 'Which traits; without it, all.' }) },
    resolve: (_root, { filter }, { database }) => readTraits(database, filter ?? {}),
  }),
}));

const CreateTraitInput = builder.inputType('CreateTraitInput', {
  description: 'The trait to create.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'CUSTOM_ and at least one more of A-Z, 0-9 and _; at most 255 characters.',
    }),
  }),
});

const DeleteTraitInput = builder.inputType('DeleteTraitInput', {
  description: 'The trait to delete.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Its whole name, in its own case.' }) }),
});

const CreateTraitPayload = builder
  .objectRef<{ name: string; created: boolean }>('CreateTraitPayload')
  .implement({
    description: 'The trait is there.',
    fields: (t) => ({
      trait: t.field({ type: Trait, description: 'The trait.', resolve: (source) => source }),
      created: t.exposeBoolean('created', { description: 'False when it was there already.' }),
    }),
  });

const DeleteTraitPayload = builder.objectRef<{ name: string }>('DeleteTraitPayload').implement({
  description: 'The trait is gone.',
  fields: (t) => ({
    id: t.id({
      description: 'The global id that it had.',
      resolve: ({ name }) => encodeGlobalID('Trait', name),
    }),
    name: t.exposeString('name', { description: 'The name that it had.' }),
  }),
});

builder.mutationFields((t) => ({
  createTrait: t.field({
    type: CreateTraitPayload,
    description: 'Creates a custom trait. One that is there already is left as it is: a success as well.',
    args: { input: t.arg({ type: CreateTraitInput, required: true, description: 'What to create.' }) },
    errors: rejections('createTrait', InvalidInput, ConcurrentUpdate),
    resolve: (_root, { input }, { ledger }) => createTrait(ledger, input),
  }),
  deleteTrait: t.field({
    type: DeleteTraitPayload,
    description: 'Deletes a custom trait that no provider has.',
    args: { input: t.arg({ type: DeleteTraitInput, required: true, description: 'What to delete.' }) },
    errors: rejections('deleteTrait', NotFound, StandardIsImmutable, TraitInUse, ConcurrentUpdate),
    resolve: (_root, { input }, { ledger }) => deleteTrait(ledger, input),
  }),
}));
