import type { InputFieldBuilder, InputObjectRef } from '@pothos/core';
import type { OrderEntry } from '../model/listing/listOrder.js';
import { builder, meanings, type Types } from './builder.js';
import { required, withDefault } from './inputFields.js';
import { mapValues } from '../model/collections.js';

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of an order. Entries without a value come last in both.',
  values: meanings({
    ASC: 'The smallest or oldest first.',
    DESC: 'The largest or newest first.',
  }),
});

type Direction = OrderEntry['direction'];

const ClassOrderInput = builder.inputType('ClassOrderInput', {
  description: 'An order by an amount of a resource class.',
  fields: () => ({
    resourceClass: required('String', 'The name of the class. Fails with INVALID_INPUT if it is unknown.'),
    direction: withDefault(OrderDirection, 'ASC', 'The direction.'),
  }),
});

type ClassOrder = { readonly resourceClass: string; readonly direction: Direction };

/** One sort key and its direction: a `@oneOf` input. */
type OrderInput<Field extends string> = { readonly [F in Field]?: Direction | ClassOrder | null };

interface OrderKeys<Plain extends string, OfClass extends string> {
  readonly description: string;
  /** The descriptions of the plain sort keys, and of the sort keys by resource class. */
  readonly keys: Readonly<Record<Plain, string>>;
  readonly classKeys: Readonly<Record<OfClass, string>>;
}

/** Defines the `@oneOf` input of the sort keys of a list, with one field per key. */
export function orderInput<Plain extends string, OfClass extends string = never>(
  name: string,
  { description, keys, classKeys }: OrderKeys<Plain, OfClass>,
): InputObjectRef<Types, OrderInput<Plain | OfClass>> {
  const fields = (t: InputFieldBuilder<Types, 'InputObject'>) => ({
    ...mapValues(keys, (meaning) => t.field({ type: OrderDirection, description: meaning })),
    ...mapValues(classKeys, (meaning) => t.field({ type: ClassOrderInput, description: meaning })),
  });
  const input = builder.inputRef(name).implement({ description, isOneOf: true, fields });
  return input as InputObjectRef<Types, unknown> as InputObjectRef<Types, OrderInput<Plain | OfClass>>;
}

export function entriesOf<Input extends object>(
  orderBy: readonly Input[],
): OrderEntry<keyof Input & string>[] {
  return orderBy.map((input) => {
    const [[field, order]] = Object.entries(input) as [[keyof Input & string, Direction | ClassOrder]];
    return typeof order === 'string' ? { field, direction: order } : { field, ...order };
  });
}
