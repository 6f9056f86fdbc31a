import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { InputObjectRef, InputRef, ObjectRef } from '@pothos/core';
import { encodeGlobalID } from '@pothos/plugin-relay';
import { codeOf, pathOf, type ErrorCode } from '../model/errors.js';
import { DomainError } from '../model/rejections.js';
import { builder, objectType, type Types } from './builder.js';
import { common, classOf } from './errors.js';
import type { Ledger } from '../store/ledger/transaction.js';
import { Loaders } from './loaders/loaders.js';
import type { ProviderEntity } from './entities.js';
import { required } from './inputFields.js';
import { audited, WRITERS, type RuleWithServices, type SERVICES } from './access/rules.js';
import type { Context } from './context.js';
import { entriesIn, longestListIn, SIZES_LISTS } from './cost/operationCost.js';
import { suggestNames, withUuids } from './names.js';
import { ResourceProvider } from './refs.js';

/** The result of a mutation that committed its write, and whose payload could not be read. */
export class CommittedError extends DomainError {
  readonly code = 'COMMITTED';

  /**
   * @param ids the global ids of the written objects
   * @param cause the error of a field of the payload; null if a later mutation has failed
   */
  constructor(
    readonly ids: readonly string[],
    override readonly cause: GraphQLError | null,
  ) {
    super('The write was committed, but its payload could not be read.');
  }
}

builder.objectType(CommittedError, {
  ...common('COMMITTED', CommittedError),
  fields: (t) => ({
    ids: t.idList({
      description: 'The global ids of the written objects. An entry of `errors` states the reason.',
      resolve: ({ ids }) => [...ids],
    }),
  }),
});

interface Mutation<Input> {
  readonly description: string;
  /** The type and the description of the argument `input`. */
  readonly input: readonly [type: InputObjectRef<Types, Input>, description: string];
  /**
   * The rejections in the result union, in addition to CONCURRENT_UPDATE. The response reports any other error in
   * `errors`.
   */
  readonly errors: readonly ErrorCode[];
  /** The viewers that may use the mutation. Defaults to writers. */
  readonly authScopes?: typeof WRITERS | typeof SERVICES | RuleWithServices;
  /** Returns the cost of an input in addition to the cost of its list entries. */
  readonly cost?: (input: Input) => number;
  /** The length of the payload's lists. Defaults to the length of the input's longest list. */
  readonly listLength?: (input: Input) => number;
}

interface MutationWithPayload<Input, Payload> extends Mutation<Input> {
  readonly payload: ObjectRef<Types, Payload>;
  /** Writes. Fields of the payload read the state after the commit, because an error here means that nothing changed. */
  readonly resolve: (input: Input, context: Context) => Promise<Payload>;
  /** Returns the global ids of the written objects. [] if nothing was written, as in a dry run. */
  readonly written: (payload: Payload, input: Input) => readonly string[];
}

/** Adds a mutation. It returns the union `<Name>Result` of its payload and its rejections. */
export function mutation<Input, Payload>(
  name: string,
  { description, input: [type, inputDescription], ...rest }: MutationWithPayload<Input, Payload>,
): void {
  const { errors, cost, listLength = longestListIn, payload, authScopes = WRITERS } = rest;
  const onUnknown = errors.includes('NOT_FOUND') ? 'NOT_FOUND' : 'INVALID_INPUT';
  const resolve = audited(name, (input: Input, context, info) =>
    withUuids(
      { input },
      context,
      info,
      (given) => {
        resetLoaders(context);
        return rest.resolve(given.input, context).then(
          (result) => {
            const ids = rest.written(result, given.input);
            if (ids.length > 0) context.written = ids;
            return result;
          },
          (error: unknown) => {
            if (error instanceof DomainError && error.path.length === 0)
              error.path = pathOf(error, given.input as object);
            throw error;
          },
        );
      },
      onUnknown,
    ),
  );
  builder.mutationField(name, (t) =>
    t.field({
      authScopes,
      type: payload,
      description,
      args: {
        input: required(type as InputRef<object>, inputDescription),
      },
      extensions: SIZES_LISTS,
      complexity: ({ input }) => ({
        field: 1 + entriesIn(input) + (cost?.(input as Input) ?? 0),
        multiplier: Math.max(1, listLength(input as Input)),
      }),
      errors: {
        types: [...errors, 'CONCURRENT_UPDATE' as const, 'COMMITTED' as const].map(classOf),
        union: {
          name: `${capitalized(name)}Result`,
          description: 'The payload, or an error.',
        },
      },
      resolve: (async (
        _root: unknown,
        { input }: { input: object },
        context: Context,
        info: GraphQLResolveInfo,
      ) => {
        const { operation } = context;
        // the executor has just coerced the input, which is slow if it is large: yield to others
        if (operation.cost > operation.limits.smallCost) await operation.pause();
        return resolve(input as Input, context, info).catch(async (error: unknown) => {
          const code = codeOf(error);
          if (code !== null) operation.activity.codes.push(code);
          await suggestNames(error, context);
          throw error;
        });
      }) as never,
    }),
  );
}

interface ProviderMutation<Input> extends Mutation<Input> {
  /** The description of the payload. */
  readonly payload: string;
  readonly write: (ledger: Ledger, input: Input) => Promise<{ readonly uuid: string }>;
}

/** Adds a mutation whose payload is the changed provider, read after the write. */
export function providerMutation<Input>(
  name: string,
  { payload, write, ...options }: ProviderMutation<Input>,
): void {
  mutation(name, {
    ...options,
    payload: objectType<{ readonly uuid: string }>(`${capitalized(name)}Payload`, {
      description: payload,
      fields: (t) => ({
        resourceProvider: t.field({
          type: ResourceProvider,
          description: 'The provider after the change.',
          resolve: ({ uuid }, _args, { loaders }) => writtenProvider(loaders, uuid),
        }),
      }),
    }),
    resolve: (input, { ledger }) => write(ledger, input),
    written: ({ uuid }) => idsOf(ResourceProvider, [uuid]),
  });
}

/** Reads a provider after a write. */
export async function writtenProvider(loaders: Loaders, uuid: string): Promise<ProviderEntity> {
  const provider = await loaders.providers.byUuid(uuid);
  if (!provider) throw new GraphQLError('The provider was deleted since.');
  return provider;
}

/** Returns the global ids of objects by their keys. */
export function idsOf({ name }: { readonly name: string }, keys: readonly string[]): string[] {
  return keys.map((key) => encodeGlobalID(name, key));
}

/**
 * Defines the payload of a deletion: the former ids of the object. The field of the global id is
 * not named `id`, because client caches would mistake the payload for the object.
 */
export function deletedPayload<Key extends 'uuid' | 'name'>(
  { name: type }: { readonly name: string },
  key: Key,
  description: string,
) {
  return objectType<Readonly<Record<Key, string>>>(`Delete${type}Payload`, {
    description,
    fields: (t) => ({
      [`deleted${type}Id`]: t.id({
        description: 'Its former global id, for client caches.',
        resolve: (deleted) => encodeGlobalID(type, deleted[key]),
      }),
      [key]: t.field({
        type: key === 'uuid' ? 'UUID' : 'String',
        description: `Its former ${key}.`,
        resolve: (deleted) => deleted[key],
      }),
    }),
  });
}

/** The field `deleted<Type>Ids` of a payload: the former global ids of the objects with these keys. */
export function deletedIds<Payload>(
  { name: type }: { readonly name: string },
  description: string,
  keysOf: (payload: Payload) => readonly string[],
) {
  return {
    type: ['ID'] as ['ID'],
    description: `${description}, for client caches.`,
    resolve: (payload: Payload) => keysOf(payload).map((key) => encodeGlobalID(type, key)),
  };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Discards the cached reads of the operation, so that a payload or an event shows the current state. */
export function resetLoaders(context: Context): void {
  context.loaders = new Loaders(context.database, context.reads, context.operation);
}
