import { idsByName, isStandard } from '../../database/catalog.js';
import type { ReadableDatabase } from '../../database/database.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import {
  ConcurrentUpdate,
  NotFound,
  StandardIsImmutable,
  type ResourceClassInUse,
  type TraitInUse,
} from '../../ledger/errors.js';
import type { Ledger } from '../../ledger/transaction.js';
import { builder } from '../builder.js';
import { deletedPayload, mutation } from '../mutation.js';
import type { ResourceClass, Trait } from '../refs.js';
import { READERS } from '../access/rules.js';

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
  readonly inUse: typeof ResourceClassInUse | typeof TraitInUse;
  /** The condition under which an entry is in use, as the end of a sentence. */
  readonly usedIf: string;
}

/** Adds the type of traits or classes, its look-up by name, and the mutations of custom entries. */
export function catalogEntry(catalog: CatalogType): void {
  const { type, field, noun, ...its } = catalog;

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
  builder.queryField(field, (t) =>
    t.field({
      authScopes: READERS,
      type,
      nullable: true,
      description: `A ${noun} by its name. Null if it does not exist.`,
      args: { name: t.arg.string({ required: true, description: 'The whole name.' }) },
      resolve: async (_root, { name }, { database }) => (await existing([name], database))[0],
    }),
  );
  customEntries(catalog);
}

function customEntries({ type, field, noun, short, inUse, usedIf, ...its }: CatalogType): void {
  const CreateInput = builder.inputType(`Create${type.name}Input`, {
    description: `The ${noun} to create.`,
    fields: (t) => ({
      name: t.string({
        required: true,
        description: 'CUSTOM_ and 1 to 248 of A-Z, 0-9 and _.',
      }),
    }),
  });
  const DeleteInput = builder.inputType(`Delete${type.name}Input`, {
    description: `The ${noun} to delete.`,
    fields: (t) => ({ name: t.string({ required: true, description: 'The whole name.' }) }),
  });
  const CreatePayload = builder
    .objectRef<{ name: string; created: boolean }>(`Create${type.name}Payload`)
    .implement({
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
    errors: [InvalidInput, ConcurrentUpdate],
    resolve: (input, { ledger }) => its.create(ledger, input),
  });
  mutation(`delete${type.name}`, {
    description:
      `Deletes a custom ${noun}. ` +
      `Fails with ${type.name === 'Trait' ? 'TRAIT' : 'RESOURCE_CLASS'}_IN_USE if ${usedIf}.`,
    input: [DeleteInput, `The ${noun} to delete.`],
    payload: deletedPayload(type, 'name', {
      name: `Delete${type.name}Payload`,
      description: `The ${noun} no longer exists.`,
    }),
    errors: [NotFound, StandardIsImmutable, inUse, ConcurrentUpdate],
    resolve: (input, { ledger }) => its.delete(ledger, input),
  });
}
