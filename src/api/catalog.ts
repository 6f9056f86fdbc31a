import { idsByName, isStandard } from '../store/sql/catalog.js';
import type { ReadableDatabase } from '../store/database/database.js';
import type { ErrorCode } from '../model/errors.js';
import { createResourceClass, deleteResourceClass } from '../store/ledger/catalog.js';
import { createTrait, deleteTrait } from '../store/ledger/provider/traits.js';
import type { Ledger } from '../store/ledger/transaction.js';
import { readResourceClasses, readTraits } from './loaders/catalog.js';
import { builder, objectType, query } from './builder.js';
import { membersField } from './connection.js';
import { readInPages } from './cost/operationCost.js';
import { optional, required } from './inputFields.js';
import { deletedPayload, idsOf, mutation } from './mutation.js';
import { ResourceClass, Trait } from './refs.js';

type Write<Entry> = (ledger: Ledger, input: { readonly name: string }) => Promise<Entry>;

interface CatalogType {
  readonly type: typeof ResourceClass | typeof Trait;
  /** The description of the type, and of its names. */
  readonly description: string;
  readonly names: string;
  readonly field: string;
  /** The noun in descriptions, in full and in short. */
  readonly noun: string;
  readonly short: string;
  readonly table: 'resource_classes' | 'traits';
  readonly create: Write<{ name: string; created: boolean }>;
  readonly delete: Write<{ name: string }>;
  readonly inUse: ErrorCode;
  /** The condition under which an entry is in use, as the end of a sentence. */
  readonly usedIf: string;
}

/** Adds the type of traits or classes, and its look-up by name. */
function catalogType({ type, field, noun, ...its }: CatalogType): void {
  /** Returns null in place of names that do not exist. */
  async function existing(names: readonly string[], { pool }: ReadableDatabase) {
    const ids = await idsByName(pool, its.table, names);
    return names.map((name) => (ids.has(name) ? { name } : null));
  }

  builder.node(type, {
    name: type.name,
    description: its.description,
    id: { resolve: ({ name }) => name },
    loadMany: (names, { database }) => existing(names, database),
    fields: (t) => ({
      name: t.exposeString('name', { description: `The unique name: ${its.names}.` }),
      isStandard: t.boolean({
        description: 'True for standard names, false for custom names (CUSTOM_...).',
        resolve: ({ name }) => isStandard(name),
      }),
    }),
  });
  query(field, {
    type,
    description: `A ${noun} by its name. Null if it does not exist.`,
    args: { name: required('String', 'The whole name.') },
    resolve: async (_root, { name }, { database }) => (await existing([name], database))[0],
  });
}

/** Adds the mutations of custom traits or classes. */
function customEntries({ type, field, noun, short, inUse, usedIf, ...its }: CatalogType): void {
  const CreateInput = builder.inputType(`Create${type.name}Input`, {
    description: `The ${noun} to create.`,
    fields: () => ({
      name: required('String', 'CUSTOM_ and 1 to 248 of A-Z, 0-9 and _.'),
    }),
  });
  const DeleteInput = builder.inputType(`Delete${type.name}Input`, {
    description: `The ${noun} to delete.`,
    fields: () => ({ name: required('String', 'The whole name.') }),
  });
  const CreatePayload = objectType<{ name: string; created: boolean }>(`Create${type.name}Payload`, {
    description: `The ${noun} exists.`,
    fields: (t) => ({
      [field]: t.field({ type, description: `The ${short}.`, resolve: (source) => source }),
      created: t.exposeBoolean('created', { description: 'False if it existed already.' }),
    }),
  });
  mutation(`create${type.name}`, {
    description: `Creates a custom ${noun}. Succeeds if it exists already.`,
    input: [CreateInput, `The ${noun} to create.`],
    payload: CreatePayload,
    errors: ['INVALID_INPUT'],
    resolve: (input, { ledger }) => its.create(ledger, input),
    written: ({ name, created }) => (created ? idsOf(type, [name]) : []),
  });
  mutation(`delete${type.name}`, {
    description: `Deletes a custom ${noun}. Fails with ${inUse} if ${usedIf}.`,
    input: [DeleteInput, `The ${noun} to delete.`],
    payload: deletedPayload(type, 'name', `The ${noun} no longer exists.`),
    errors: ['NOT_FOUND', 'STANDARD_IS_IMMUTABLE', inUse],
    resolve: (input, { ledger }) => its.delete(ledger, input),
    written: ({ name }) => idsOf(type, [name]),
  });
}

/** Defines the filter of a list of traits or classes. */
function catalogFilter(name: string, nouns: string, short: string, associated: { yes: string; no: string }) {
  return builder.inputType(name, {
    description: `Conditions on ${nouns}. All must hold.`,
    fields: () => ({
      nameIn: optional(['String'], `${short} with one of these names.`),
      startsWith: optional('String', `${short} whose names start with this text.`),
      associated: optional('Boolean', `True: ${associated.yes}. False: ${associated.no}.`),
    }),
  });
}

const RESOURCE_CLASSES: CatalogType = {
  type: ResourceClass,
  description: 'A kind of resource with amounts, such as VCPU or DISK_GB.',
  names: '1 to 255 of A-Z, 0-9 and _',
  field: 'resourceClass',
  noun: 'resource class',
  short: 'class',
  table: 'resource_classes',
  create: createResourceClass,
  delete: deleteResourceClass,
  inUse: 'RESOURCE_CLASS_IN_USE',
  usedIf: 'any provider has inventory of it',
};
catalogType(RESOURCE_CLASSES);
customEntries(RESOURCE_CLASSES);

const ResourceClassFilter = catalogFilter('ResourceClassFilter', 'resource classes', 'Classes', {
  yes: 'classes with an inventory',
  no: 'classes without',
});

query('resourceClasses', {
  type: [ResourceClass],
  ...readInPages(50, 'resourceClasses with a filter'),
  description: 'Resource classes, by name.',
  args: { filter: optional(ResourceClassFilter, 'Defaults to all classes.') },
  resolve: (_root, { filter }, { database }) => readResourceClasses(database, filter ?? {}),
});

const TRAITS: CatalogType = {
  type: Trait,
  description: 'A property of a provider, such as HW_CPU_X86_AVX2. Trees do not inherit it.',
  names: '1 to 255 characters',
  field: 'trait',
  noun: 'trait',
  short: 'trait',
  table: 'traits',
  create: createTrait,
  delete: deleteTrait,
  inUse: 'TRAIT_IN_USE',
  usedIf: 'any provider has it',
};
catalogType(TRAITS);
customEntries(TRAITS);

builder.objectField(Trait, 'label', (t) => t.exposeString('name', { description: 'The name.' }));

membersField(Trait, 'The providers with the trait, by name.', ({ name }, page, { loaders }) =>
  loaders.providersWithTrait.page(name, page),
);

const TraitFilter = catalogFilter('TraitFilter', 'traits', 'Traits', {
  yes: 'traits of any provider',
  no: 'traits of no provider',
});

query('traits', {
  type: [Trait],
  ...readInPages(400, 'traits with a filter'),
  description: 'Traits, by name.',
  args: { filter: optional(TraitFilter, 'Defaults to all traits.') },
  resolve: (_root, { filter }, { database }) => readTraits(database, filter ?? {}),
});
