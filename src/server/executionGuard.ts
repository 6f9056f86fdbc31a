import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  OperationTypeNode,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { refusal } from '../database/failures.js';
import { OutcomeUnknown } from '../ledger/transaction.js';
import type { Operation } from '../runtime/operation.js';
import { DatabaseUnavailable, Overloaded, TimedOut } from '../runtime/refusals.js';
import type { Context } from '../schema/context.js';

/** From this length, the items of a list wait for time slices one by one. */
const LONG_LIST = 16;

type Resolver = GraphQLFieldResolver<unknown, Context>;

/**
 * Bounds the execution of every operation, regardless of its estimated cost. Fields check the
 * deadline. Objects are counted, and wait for the next time slice of their operation.
 */
export function guardExecution(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      field.resolve = guarded(field.type, (field.resolve ?? defaultFieldResolver) as Resolver) as never;
  }
}

function guarded(type: GraphQLOutputType, resolve: Resolver): Resolver {
  if (!isCompositeType(getNamedType(type)))
    return (source, args, context, info) => {
      if (!mayGoOn(context.operation, info)) return stopped(context.operation.signal.reason as Error, info);
      const result = resolve(source, args, context, info);
      if (!(result instanceof Promise) || !isOfPayload(info)) return result;
      return result.catch((error: Error) => Promise.reject(unread(error, info)));
    };
  const isList = isListType(getNullableType(type));
  return (source, args, context, info) => {
    const { operation } = context;
    if (!mayGoOn(operation, info)) return stopped(operation.signal.reason as Error, info);
    const result = resolve(source, args, context, info);
    const count = (value: unknown): unknown => counted(value, isList, operation, info);
    if (!(result instanceof Promise)) return count(result);
    return result.then(count, (error: Error) => failed(error, operation, info));
  };
}

/** Returns whether a field may run. Mutations continue after their deadline to report outcomes. */
function mayGoOn(operation: Operation, info: GraphQLResolveInfo): boolean {
  return operation.countField() || info.operation.operation === OperationTypeNode.MUTATION;
}

/** Counts the objects of a field, and passes them to the executor in time slices. */
function counted(value: unknown, isList: boolean, operation: Operation, info: GraphQLResolveInfo): unknown {
  const objects = isList && Array.isArray(value) ? value.length : 1;
  try {
    operation.countObjects(objects);
  } catch (error) {
    return stopped(error as Error, info);
  }
  const inSlice = (part: unknown): unknown =>
    operation.nextSlice()?.then(
      () => part,
      (error: Error) => failed(error, operation, info),
    ) ?? part;
  return objects < LONG_LIST ? inSlice(value) : inSlices(value as readonly unknown[], inSlice);
}

/** Passes a long list to the executor item by item. */
function* inSlices(items: readonly unknown[], inSlice: (item: unknown) => unknown): Generator<unknown> {
  for (const item of items) yield inSlice(item);
}

function failed(error: Error, operation: Operation, info: GraphQLResolveInfo): Promise<never> {
  return operation.signal.aborted ? stopped(error, info) : Promise.reject(unread(error, info));
}

/**
 * Stops a field of an aborted operation. A query has been answered already, so its fields never
 * settle: rejecting each of them is slow, and the executor does not handle all the rejections.
 */
function stopped(error: Error, info: GraphQLResolveInfo): Promise<never> {
  if (info.operation.operation === OperationTypeNode.QUERY) return new Promise(() => undefined);
  return Promise.reject(unread(error, info));
}

/** Returns whether a field is below the result of a mutation. */
function isOfPayload({ operation, path }: GraphQLResolveInfo): boolean {
  return operation.operation === OperationTypeNode.MUTATION && path.prev !== undefined;
}

/** Replaces an error that implies that nothing was changed, if a mutation has changed something. */
function unread(error: Error, info: GraphQLResolveInfo): Error {
  const isRefusal = error instanceof TimedOut || error instanceof Overloaded;
  if (!isOfPayload(info) || !(isRefusal || error instanceof DatabaseUnavailable || refusal(error)))
    return error;
  let { path } = info;
  while (path.prev?.prev !== undefined) path = path.prev;
  const result = info.schema.getType(path.typename!);
  const isRejection = isObjectType(result) && result.getInterfaces().some(({ name }) => name === 'UserError');
  if (isRejection) return error;
  return new OutcomeUnknown(error, 'the write has taken place, but its result could not be read');
}
