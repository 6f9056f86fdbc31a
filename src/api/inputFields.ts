import {
  InputFieldBuilder,
  type InputShapeFromTypeParam,
  type InputType,
  type InputTypeParam,
} from '@pothos/core';
import { builder, type Types } from './builder.js';

/*
 * The fields of input objects and the arguments of fields. Pothos distinguishes them only for plugins that change
 * them, which this schema does not use.
 */
const t = new InputFieldBuilder<Types, 'InputObject'>(builder, 'InputObject');

export const GENERATION = 'The generation read before. If stale: PROVIDER_GENERATION_CONFLICT.';

export function required<Type extends InputTypeParam<Types>>(type: Type, description: string) {
  return t.field({ type, required: true, description });
}

export function optional<Type extends InputTypeParam<Types>>(type: Type, description: string) {
  return t.field({ type, description });
}

export function withDefault<Type extends InputTypeParam<Types>>(
  type: Type,
  defaultValue: InputShapeFromTypeParam<Types, Type, true>,
  description: string,
) {
  return t.field({ type, required: true, defaultValue: defaultValue as never, description });
}

/** A list that defaults to an empty list. */
export function optionalList<Type extends InputType<Types>>(type: Type, description: string) {
  return t.field({ type: [type], required: true, defaultValue: [] as never, description });
}

/** A list of lists of alternatives: one alternative of each inner list must hold. Defaults to an empty list. */
export function alternatives<Type extends InputType<Types>>(type: Type, description: string) {
  return optionalList(t.listRef(type), description);
}
