import type { FieldRequiredness, InputFieldBuilder, InputFieldRef } from '@pothos/core';
import type { Types } from '../builder.js';
import { NAMED, type NamedField } from './namedField.js';

type Kind = 'InputObject' | 'Arg';
type Fields<Uuid, Name, Key extends string, NameKey extends string> = Readonly<
  Record<Key, InputFieldRef<Types, Uuid>> & Record<NameKey, InputFieldRef<Types, Name>>
>;
type Optional<T> = T | null | undefined;

interface Wanted {
  readonly description: string;
  /** For what is written; a condition of a search says nothing here. */
  readonly isCondition?: boolean;
}

/**
 * The fields by which an input takes a provider: `key`, its uuid, and `<key>Name`, its name. A resolver gets the uuid, whichever was
 * given: it may take `key` for required.
 */
export function requiredProvider<Key extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  { description, isCondition = false }: Wanted,
): Fields<string, Optional<string>, Key, `${Key}Name`> {
  const nameField = `${key}Name`;
  return {
    // the plugin takes the ! off: either of two fields will do
    [key]: t.field({
      type: 'UUID',
      required: true,
      description: `The uuid of ${description} Required, unless \`${nameField}\` is given.`,
      extensions: named({ of: 'resource provider', nameField, isRequired: true, isCondition }),
    }),
    [nameField]: t.string({ description: `Its name, in place of \`${key}\`.` }),
  } as never;
}

/** The same where the input need not name a provider. */
export function optionalProvider<Key extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  { description, isCondition = true }: Wanted,
): Fields<Optional<string>, Optional<string>, Key, `${Key}Name`> {
  const nameField = `${key}Name`;
  return {
    [key]: t.field({
      type: 'UUID',
      description,
      extensions: named({ of: 'resource provider', nameField, isRequired: false, isCondition }),
    }),
    [nameField]: t.string({
      description: `The same by the provider's name, in place of \`${key}\`.${isCondition ? ' An unknown name is INVALID_INPUT.' : ''}`,
    }),
  } as never;
}

/** The fields of a list of providers, by uuid, by name, or by both: all of them together are what is meant. */
export function listOfProviders<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  { description, isCondition = true }: Wanted,
): Fields<string[], string[], Key, NameKey> {
  return lists(t, key, nameField, {
    description,
    shape: ['UUID'],
    nameShape: ['String'],
    extension: { of: 'resource provider', nameField, isRequired: false, isCondition },
  });
}

/** The fields of a list of aggregates, in the same way. */
export function listOfAggregates<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  description: string,
): Fields<string[], string[], Key, NameKey> {
  return lists(t, key, nameField, {
    description,
    shape: ['UUID'],
    nameShape: ['String'],
    extension: { of: 'aggregate', nameField, isRequired: false, isCondition: true },
  });
}

/** The fields of lists of alternatives, of each of which one aggregate must be there: the conditions of both fields hold. */
export function alternativesOfAggregates<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  description: string,
): Fields<string[][], string[][], Key, NameKey> {
  return lists(t, key, nameField, {
    description,
    shape: t.listRef(t.listRef('UUID')),
    nameShape: t.listRef(t.listRef('String')),
    extension: { of: 'aggregate', nameField, isRequired: false, isCondition: true },
  });
}

/** Of a field of aggregates that has another shape than the one of their names. */
export function namedAggregates(nameField: string): Record<typeof NAMED, NamedField> {
  return named({ of: 'aggregate', nameField, isRequired: false, isCondition: true });
}

interface Lists {
  readonly description: string;
  readonly shape: unknown;
  readonly nameShape: unknown;
  readonly extension: NamedField;
}

function lists<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  { description, shape, nameShape, extension }: Lists,
): never {
  const emptyList = { required: true as FieldRequiredness<never>, defaultValue: [] as never };
  return {
    [key]: t.field({ type: shape as never, ...emptyList, description, extensions: named(extension) }),
    [nameField]: t.field({
      type: nameShape as never,
      ...emptyList,
      description: `The same by names, besides those of \`${key}\`. An unknown name is INVALID_INPUT.`,
    }),
  } as never;
}

function named(field: NamedField): Record<typeof NAMED, NamedField> {
  return { [NAMED]: field };
}
