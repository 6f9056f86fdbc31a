import type { InputObjectRef } from '@pothos/core';
import type { Owner } from './consumer/ownerLists.js';
import type { ConsumerEntity } from '../model/entities.js';
import type { AllocationEntity, ProviderEntity } from './entities.js';
import { builder, objectType, type Types } from './builder.js';
import { optional } from './inputFields.js';
import type { InventoryRow } from './provider/details.js';

/*
 * Types that refer to each other. The file of each type adds its fields. The type parameter is
 * the source object of the type's resolvers.
 */
export const ResourceProvider = builder.objectRef<ProviderEntity>('ResourceProvider');
export const Inventory = builder.objectRef<InventoryRow & { readonly provider: ProviderEntity }>('Inventory');
export const ResourceClass = builder.objectRef<{ readonly name: string }>('ResourceClass');
export const Trait = builder.objectRef<{ readonly name: string }>('Trait');
export const Aggregate = builder.objectRef<{ readonly uuid: string }>('Aggregate');
export const Consumer = builder.objectRef<ConsumerEntity>('Consumer');
export const ConsumerType = builder.objectRef<{ readonly name: string }>('ConsumerType');
export const Project = builder.objectRef<Owner>('Project');
export const User = builder.objectRef<Owner>('User');
export const Allocation = builder.objectRef<AllocationEntity>('Allocation');

/** The field of a source object that has the name of its resource class. */
export const CLASS_BY_NAME = {
  type: ResourceClass,
  description: 'The resource class.',
  resolve: ({ resourceClass: name }: { readonly resourceClass: string }) => ({ name }),
};

export const Usage = objectType<{ readonly resourceClass: string; readonly used: number }>('Usage', {
  description: 'The usage of one resource class.',
  fields: (t) => ({
    resourceClass: t.field(CLASS_BY_NAME),
    used: t.expose('used', {
      type: 'SafeInt',
      description: 'The sum of the allocations in units of the class.',
    }),
  }),
});

/** Identifies an object of the API in an argument. */
export interface Reference {
  readonly uuid?: string | null;
  readonly name?: string | null;
}

/** The argument of a look-up. Its resolver receives the reference. */
export const ProviderLookUp: InputObjectRef<Types, Reference> = builder.inputType('ProviderRef', {
  description: 'A provider, by uuid or name.',
  isOneOf: true,
  fields: () => ({
    uuid: optional('UUID', 'The uuid of the provider.'),
    name: optional('String', 'The whole name, case-sensitive.'),
  }),
});

export const AggregateLookUp: InputObjectRef<Types, Reference> = builder.inputType('AggregateRef', {
  description: 'An aggregate, by uuid or name.',
  isOneOf: true,
  fields: () => ({
    uuid: optional('UUID', 'The uuid of the aggregate.'),
    name: optional('String', 'The whole name.'),
  }),
});

/** A new parent. Resolvers receive the uuid of a provider, or `{ none }`. */
export const ParentRef = builder.inputType('ParentRef', {
  description: 'A new parent of a provider, or none.',
  isOneOf: true,
  fields: () => ({
    uuid: optional('UUID', 'The uuid of the parent.'),
    name: optional('String', 'The whole name of the parent.'),
    none: optional('Boolean', 'True makes the provider a root. False is INVALID_INPUT.'),
  }),
}) as unknown as InputObjectRef<Types, string | { readonly none: boolean }>;

/** The same types in all other inputs. Resolvers receive the uuid of the object. */
export const ProviderRef = ProviderLookUp as unknown as InputObjectRef<Types, string>;
export const AggregateRef = AggregateLookUp as unknown as InputObjectRef<Types, string>;
