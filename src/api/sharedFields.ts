import type { ObjectRef } from '@pothos/core';
import { utilizationOf } from '../model/input.js';
import { mapValues } from '../model/collections.js';
import type { ConsumerEntity } from '../model/entities.js';
import { builder, type Types } from './builder.js';
import type { Context } from './context.js';
import { DATES } from './entities.js';
import { Consumer } from './refs.js';

// Fields that several types have.

/** The field of a planned move that has its consumer. */
export const MOVED_CONSUMER = {
  type: Consumer,
  description: 'The consumer with its current allocations.',
  resolve: ({ consumer }: { readonly consumer: ConsumerEntity }, _args: object, { loaders }: Context) =>
    loaders.consumers.prime(consumer),
};

/** The field of a planned move that has the traits which the move loses. */
export function traitsLostField<Source>(resolve: (source: Source) => string[]) {
  return {
    type: ['String'] as ['String'],
    description:
      'The names of the traits of its non-sharing providers before the move that those after it lack, sorted. ' +
      'Without COMPUTE_STATUS_DISABLED.',
    resolve,
  };
}

/** A field of a source object with a capacity and its usage. */
export const UTILIZATION = {
  type: 'Float',
  nullable: true,
  description: 'used / capacity. Null if the capacity is 0.',
  resolve: utilizationOf,
} as const;

type Dates = { readonly [Name in keyof typeof DATES]?: Date | null };

/** Adds the fields `createdAt` and `updatedAt` to a type. */
export function dateFields<T>(
  type: ObjectRef<Types, T>,
  datesOf: (source: T, context: Context) => Dates | null | Promise<Dates | null>,
): void {
  builder.objectFields(type, (t) =>
    mapValues(DATES, (description, name) =>
      t.field({
        type: 'DateTime',
        nullable: true,
        description,
        resolve: async (source, _args, context) => (await datesOf(source, context))?.[name],
      }),
    ),
  );
}
