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
import type { Operation } from '../../model/operation/operation.js';
import type { Context } from '../../api/context.js';

/** From this length, the items of a list wait for time slices one by one. */
const LONG_LIST = 16;

/** A longer list is very long. The further objects of one without pages count as several: many such lists fit in no memory. */
const MANY_OBJECTS = 1_000;
const COST_OF_FURTHER = 10;

type Resolver = GraphQLFieldResolver<unknown, Context>;

/**
 * Bounds the execution of every operation, regardless of its estimated cost. Fields check the
 * deadline. Objects, scalars and keys are counted. Objects and long lists wait for the next time slice of their
 * operation.
 */
export function guardExecution(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      field.resolve = guarded(field, (field.resolve ?? defaultFieldResolver) as Resolver) as never;
  }
}

function guarded(field: GraphQLField<unknown, unknown>, resolve: Resolver): Resolver {
  const isList = isListType(getNullableType(field.type));
  const isLeaf = !isCompositeType(getNamedType(field.type));
  const resolveOnce = isLeaf && isList && field.args.length === 0 ? oncePerObject(resolve) : resolve;
  const complete = isLeaf ? completeScalars : objectsCompletion(field, isList);
  const completeUnlessCostly: Completion = (value, operation, info) => {
    try {
      return complete(value, operation, info);
    } catch (error) {
      return stopped(error as Error, info);
    }
  };
  return (source, args, context, info) => {
    const { operation } = context;
    if (!mayGoOn(operation, info)) return stopped(reasonOf(operation), info);
    const result = resolveOnce(source, args, context, info);
    if (!(result instanceof Promise)) return completeUnlessCostly(result, operation, info);
    return result.then(
      (value) => completeUnlessCostly(value, operation, info),
      (error: Error) => failed(error, operation, info),
    );
  };
}

/** Counts the value of a field and passes it to the executor. @throws CostExceeded */
type Completion = (value: unknown, operation: Operation, info: GraphQLResolveInfo) => unknown;

function objectsCompletion({ extensions }: GraphQLField<unknown, unknown>, isList: boolean): Completion {
  const alternative = extensions.alternative as string | undefined;
  return (value, operation, info) => {
    const objects = isList && Array.isArray(value) ? value.length : 1;
    operation.countText(keyLength(info));
    if (alternative === undefined) operation.countObjects(objects);
    else
      operation.countObjects(
        objects + (COST_OF_FURTHER - 1) * Math.max(0, objects - MANY_OBJECTS),
        `Read ${alternative} instead of ${info.fieldName}.`,
      );
    return inTime(value, objects, operation, info);
  };
}

/** Counts a scalar or a list of scalars. A list counts as an object. */
function completeScalars(value: unknown, operation: Operation, info: GraphQLResolveInfo): unknown {
  operation.countText(keyLength(info) + textLength(value));
  if (!Array.isArray(value)) return value;
  operation.countObjects(1);
  operation.fieldCount += value.length;
  return value.length < LONG_LIST ? value : nextSlice(value, operation, info);
}

function keyLength({ path }: GraphQLResolveInfo): number {
  return (path.key as string).length;
}

/** The approximate length of a number, boolean or date in an answer (characters). */
const SHORT_TEXT = 8;

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return SHORT_TEXT;
  return value.reduce((sum: number, entry) => sum + textLength(entry), 0);
}

/** Resolves a field of an object once, however many aliases select it. */
function oncePerObject(resolve: Resolver): Resolver {
  const latest = new WeakMap<Operation, { readonly source: unknown; readonly value: unknown }>();
  return (source, args, context, info) => {
    const known = latest.get(context.operation);
    if (known?.source === source) return known!.value;
    const value = resolve(source, args, context, info);
    latest.set(context.operation, { source, value });
    return value;
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
  const inSlice = (part: unknown): unknown => nextSlice(part, operation, info);
  if (objects < LONG_LIST) return inSlice(value);
  const items = value as readonly unknown[];
  return objects < MANY_OBJECTS ? inSlices(items, inSlice) : oneByOne(items, inSlice);
}

/** Passes a value to the executor when its operation may continue. */
function nextSlice(value: unknown, operation: Operation, info: GraphQLResolveInfo): unknown {
  return (
    operation.nextSlice()?.then(
      () => value,
      (error: Error) => failed(error, operation, info),
    ) ?? value
  );
}

/** Passes a long list to the executor item by item. */
function* inSlices(items: readonly unknown[], inSlice: (item: unknown) => unknown): Generator<unknown> {
  for (const item of items) yield inSlice(item);
}

/** Passes the next item of a very long list only after the one before, so that few items wait for a slice. */
async function* oneByOne(
  items: readonly unknown[],
  inSlice: (item: unknown) => unknown,
): AsyncGenerator<unknown> {
  for (const item of items) yield await inSlice(item);
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
