import { isStandard } from '../../database/catalog.js';
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
import type { CatalogEntry } from '../../reads/catalog.js';
import { builder } from '../builder.js';
import { deletedPayload, mutation } from '../mutation.js';
import type { ResourceClass, Trait } from '../refs.js';
import { READERS } from '../access/rules.js';

type Write<Entry> = (ledger: Ledger, input: { readonly name: string }) => Promise<Entry>;

interface CatalogType {
  readonly type: typeof ResourceClass | typeof Trait;
  /** What the type is, and what a name may be. */
  readonly description: string;
  readonly names: string;
  readonly field: string;
  /** What descriptions call an entry, in full and in short. */
  readonly noun: string;
  readonly short: string;
  readonly plural: string;
  /** The entries with these names, as far as there are any. */
  readonly read: (database: ReadableDatabase, names: readonly string[]) => Promise<CatalogEntry[]>;
  readonly create: Write<{ name: string; created: boolean }>;
  readonly delete: Write<{ name: string }>;
  readonly inUse: typeof ResourceClassInUse | typeof TraitInUse;
  /** Which ones are not in use. */
  readonly unused: string;
}

/** Traits and resource classes alike: the type, finding one by its name, creating and deleting custom ones. */
export function catalogEntry(catalog: CatalogType): void {
  const { type, field, noun, plural, ...its } = catalog;
  builder.node(type, {
    name: type.name,
    description: its.description,
    id: { resolve: ({ name }) => name },
    loadMany: async (names, { database }) => {
      const known = new Map((await its.read(database, names)).map((entry) => [entry.name, entry]));
      return names.map((name) => known.get(name) ?? null);
    },
    fields: (t) => ({
      name: t.exposeString('name', { description: `Its name, ${its.names}. Unique.` }),
      isStandard: t.boolean({
        description: `True for the ${plural} that every deployment has; false for those created here (CUSTOM_...).`,
        resolve: ({ name }) => isStandard(name),
      }),
    }),
  });
  builder.queryField(field, (t) =>
    t.field({
      authScopes: READERS,
      type,
      nullable: true,
      description: `The ${noun} with this name; null when there is none.`,
      args: { name: t.arg.string({ required: true, description: 'Its whole name, in its own case.' }) },
      resolve: async (_root, { name }, { database }) => (await its.read(database, [name]))[0] ?? null,
    }),
  );
  customEntries(catalog);
}

function customEntries({ type, field, noun, short, inUse, unused, ...its }: CatalogType): void {
  const CreateInput = builder.inputType(`Create${type.name}Input`, {
    description: `The ${noun} to create.`,
    fields: (t) => ({
      name: t.string({
        required: true,
        description: 'CUSTOM_ and at least one more of A-Z, 0-9 and _; at most 255 characters.',
      }),
    }),
  });
  const DeleteInput = builder.inputType(`Delete${type.name}Input`, {
    description: `The ${noun} to delete.`,
    fields: (t) => ({ name: t.string({ required: true, description: 'Its whole name, in its own case.' }) }),
  });
  const CreatePayload = builder
    .objectRef<{ name: string; created: boolean }>(`Create${type.name}Payload`)
    .implement({
      description: `The ${noun} is there.`,
      fields: (t) => ({
        [field]: t.field({ type, description: `The ${short}.`, resolve: (source) => source }),
        created: t.exposeBoolean('created', { description: 'False when it was there already.' }),
      }),
    });
  mutation(`create${type.name}`, {
    description: `Creates a custom ${noun}. One that is there already is left as it is: a success as well.`,
    input: [CreateInput, 'What to create.'],
    payload: CreatePayload,
    errors: [InvalidInput, ConcurrentUpdate],
    resolve: (input, { ledger }) => its.create(ledger, input),
  });
  mutation(`delete${type.name}`, {
    description: `Deletes a custom ${noun} ${unused}.`,
    input: [DeleteInput, 'What to delete.'],
    payload: deletedPayload(type, 'name', {
      name: `Delete${type.name}Payload`,
      description: `The ${noun} is gone.`,
    }),
    errors: [NotFound, StandardIsImmutable, inUse, ConcurrentUpdate],
    resolve: (input, { ledger }) => its.delete(ledger, input),
  });
}
