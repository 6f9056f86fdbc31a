import type { FieldRequiredness, InputFieldBuilder, InputFieldRef } from '@pothos/core';
import type { Types } from '../builder.js';
import { NAMED, type NamedField } from './withNames.js';

type Kind = 'InputObject' | 'Arg';
type Fields<Uuid, Name, Key extends string, NameKey extends string> = Readonly<
  Record<Key, InputFieldRef<Types, Uuid>> & Record<NameKey, InputFieldRef<Types, Name>>
>;
type Optional<T> = T | null | undefined;

interface Wanted {
  readonly description: string;
  readonly isCondition?: boolean;
}

/**
 * The fields by which an input takes a provider: `key`, its uuid, and `<key>Name`, its name. A resolver
 * always gets the uuid.
 */
export function requiredProvider<Key extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  { description, isCondition = false }: Wanted,
): Fields<string, Optional<string>, Key, `${Key}Name`> {
  const nameField = `${key}Name`;
  return {
    // the plugin makes it optional: either of two fields will do
    [key]: t.field({
      type: 'UUID',
      required: true,
      description: `The uuid of ${description} Required, unless \`${nameField}\` is given.`,
      extensions: named({ of: 'resource provider', nameField, isRequired: true, isCondition }),
    }),
    [nameField]: t.string({ description: `Its name, in place of \`${key}\`.` }),
  } as never;
}

/** The same for an optional provider. */
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

/** The fields of a list of providers, by uuid, by name, or both: the list is their union. */
export function listOfProviders<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  { description, isCondition = true }: Wanted,
): Fields<string[], string[], Key, NameKey> {
  const field = { of: 'resource provider', nameField, isRequired: false, isCondition } as const;
  return lists(t, key, field, description, (type) => [type]);
}

/** The fields of a list of aggregates, in the same way. */
export function listOfAggregates<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  description: string,
): Fields<string[], string[], Key, NameKey> {
  return lists(t, key, namedAggregates(nameField).named, description, (type) => [type]);
}

/** The fields of lists of alternatives: one aggregate of each inner list. The conditions of both fields hold. */
export function alternativesOfAggregates<Key extends string, NameKey extends string>(
  t: InputFieldBuilder<Types, Kind>,
  key: Key,
  nameField: NameKey,
  description: string,
): Fields<string[][], string[][], Key, NameKey> {
  return lists(t, key, namedAggregates(nameField).named, description, (type) => t.listRef(t.listRef(type)));
}

/** The extensions of a field of aggregates whose type differs from that of the names. */
export function namedAggregates(nameField: string): Record<typeof NAMED, NamedField> {
  return named({ of: 'aggregate', nameField, isRequired: false, isCondition: true });
}

function lists(
  t: InputFieldBuilder<Types, Kind>,
  key: string,
  field: NamedField,
  description: string,
  shapeOf: (type: 'UUID' | 'String') => unknown,
): never {
  const emptyList = { required: true as FieldRequiredness<never>, defaultValue: [] as never };
  return {
    [key]: t.field({ type: shapeOf('UUID') as never, ...emptyList, description, extensions: named(field) }),
    [field.nameField]: t.field({
      type: shapeOf('String') as never,
      ...emptyList,
      description: `The same by names, besides those of \`${key}\`. An unknown name is INVALID_INPUT.`,
    }),
  } as never;
}

function named(field: NamedField): Record<typeof NAMED, NamedField> {
  return { [NAMED]: field };
}
