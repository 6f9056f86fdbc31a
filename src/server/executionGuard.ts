import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  OperationTypeNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { Operation } from '../runtime/operation.js';
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
      field.resolve = guarded(field, (field.resolve ?? defaultFieldResolver) as Resolver) as never;
  }
}

function guarded({ type, extensions }: GraphQLField<unknown, unknown>, resolve: Resolver): Resolver {
  if (!isCompositeType(getNamedType(type)))
    return (source, args, context, info) =>
      mayGoOn(context.operation, info)
        ? resolve(source, args, context, info)
        : stopped(reasonOf(context.operation), info);
  const isList = isListType(getNullableType(type));
  const alternative = extensions.alternative as string | undefined;
  return (source, args, context, info) => {
    const { operation } = context;
    if (!mayGoOn(operation, info)) return stopped(reasonOf(operation), info);
    const result = resolve(source, args, context, info);
    const count = (value: unknown): unknown => {
      const objects = isList && Array.isArray(value) ? value.length : 1;
      try {
        operation.countObjects(objects, alternative && `Read ${alternative} instead of ${info.fieldName}.`);
      } catch (error) {
        return stopped(error as Error, info);
      }
      return inTime(value, objects, operation, info);
    };
    if (!(result instanceof Promise)) return count(result);
    return result.then(count, (error: Error) => failed(error, operation, info));
  };
}

/**
 * Returns whether a field may run. Mutations continue after their deadline to report outcomes, but not with a payload
 * that costs too much.
 */
function mayGoOn(operation: Operation, info: GraphQLResolveInfo): boolean {
  const isInTime = operation.countField();
  return info.operation.operation === OperationTypeNode.MUTATION
    ? operation.payloadRefusal === null
    : isInTime;
}

function reasonOf({ payloadRefusal, signal }: Operation): Error {
  return payloadRefusal ?? (signal.reason as Error);
}

/** Passes the objects of a field to the executor in time slices. */
function inTime(value: unknown, objects: number, operation: Operation, info: GraphQLResolveInfo): unknown {
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

function failed(error: Error, { signal }: Operation, info: GraphQLResolveInfo): Promise<never> {
  return signal.aborted ? stopped(error, info) : Promise.reject(error);
}

/**
 * Stops a field of an aborted operation. A query has been answered already, so its fields never
 * settle: rejecting each of them is slow, and the executor does not handle all the rejections.
 */
function stopped(error: Error, { operation }: GraphQLResolveInfo): Promise<never> {
  if (operation.operation === OperationTypeNode.QUERY) return new Promise(() => undefined);
  return Promise.reject(error);
}
