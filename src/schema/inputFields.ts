import type { InputFieldBuilder, InputObjectRef } from '@pothos/core';
import type { Types } from './builder.js';
import type { AggregateRef } from './refs.js';

type InputFields = InputFieldBuilder<Types, 'InputObject'>;

export const GENERATION = 'The generation read before. If stale: PROVIDER_GENERATION_CONFLICT.';

/** A list field that defaults to an empty list. */
export function optionalList<
  T extends 'String' | 'UUID' | typeof AggregateRef | InputObjectRef<Types, object>,
>(t: InputFields, type: T, description: string) {
  return t.field({ type: [type], ...EMPTY_LIST, description });
}

/** A list of lists of alternatives: one alternative of each inner list must hold. Defaults to an empty list. */
export function alternatives<T extends 'String' | typeof AggregateRef>(
  t: InputFields,
  type: T,
  description: string,
) {
  return t.field({ type: t.listRef(t.listRef(type)), ...EMPTY_LIST, description });
}

const EMPTY_LIST = { required: true as const, defaultValue: [] as never };
