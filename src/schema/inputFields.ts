import type { InputFieldBuilder, InputObjectRef } from '@pothos/core';
import type { Types } from './builder.js';

type InputFields = InputFieldBuilder<Types, 'InputObject'>;

/** The provider that is changed, and the generation that it must have. */
export function expectedProvider(t: InputFields) {
  return {
    resourceProvider: t.field({ type: 'UUID', required: true, description: 'The uuid of the provider.' }),
    generation: t.int({ required: true, description: GENERATION }),
  };
}

/** The same where the generation may be left out, as `unless` says. */
export function looselyExpectedProvider(t: InputFields, unless: string) {
  return { ...expectedProvider(t), generation: t.int({ description: `${GENERATION} ${unless}` }) };
}

export const GENERATION =
  'The generation of the provider on which the change is based; any other one stored is ' +
  'PROVIDER_GENERATION_CONFLICT.';

/** A list that may be left out, which is the same as an empty one. */
export function optionalList<T extends 'String' | 'UUID' | InputObjectRef<Types, object>>(
  t: InputFields,
  type: T,
  description: string,
) {
  return t.field({ type: [type], ...EMPTY_LIST, description });
}

/** The same of lists of alternatives: of each inner list one must hold. */
export function alternatives<T extends 'String' | 'UUID'>(t: InputFields, type: T, description: string) {
  return t.field({ type: t.listRef(t.listRef(type)), ...EMPTY_LIST, description });
}

const EMPTY_LIST = { required: true as const, defaultValue: [] as never };
