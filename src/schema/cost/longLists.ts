import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  getNamedType,
  isLeafType,
  OperationTypeNode,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Operation } from '../../runtime/operation.js';
import type { Context } from '../context.js';
import { costOfField, TYPICAL_LIST, type FieldCost } from './fieldCost.js';
import { OperationCost } from './operationCost.js';

const NAME = 'longLists' as const;

/** A list that is no longer, such as an ordinary page, is neither counted again nor made in parts. */
const SHORT = 100;

/** A list that costs no more is made at once, so that what is read for it takes few statements. */
const COST_OF_WHOLE = 5_000;

/** What the objects cost together that are made at a time of a list that costs more: some twenty milliseconds. */
const COST_OF_PART = 2_000;

/**
 * However much each costs, at least so many are made at a time, because they share what is read for them. It is also the first part:
 * later ones are twice as large as those before them, because only the first tells how long the lists inside turn out to be.
 */
const SMALLEST_PART = 25;

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Pothos learns of a plugin
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NAME]: LongListsPlugin<Types>;
    }
  }
}

/**
 * Lists of objects count with their true length as soon as that is known, so that one that is much longer than expected ends
 * the operation before its objects are made; and those of long lists are made part by part, with turns of other operations
 * in between. A list that is a page of a known size, or part of an answer that was counted as a whole, states a multiplier of 1:
 * its length is not counted again.
 */
class LongListsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type, extensions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (type.kind !== 'List') return resolver;
    const expected = expectedLength(extensions?.complexity as FieldCost | typeof costOfField | undefined);
    return (source, args, context, info) => {
      const { operation } = context as Context;
      if (isDropped(operation, info)) return never();
      const list = resolver(source, args, context, info);
      return list instanceof Promise
        ? list.then(
            (settled) => counted(settled, expected, operation, info),
            (error: unknown) => (isDropped(operation, info) ? never() : Promise.reject(error as Error)),
          )
        : counted(list, expected, operation, info);
    };
  }
}

/** The length that is counted before an operation runs; null where that is the true one. */
function expectedLength(complexity: FieldCost | typeof costOfField | undefined): number | null {
  if (complexity === undefined || complexity === costOfField) return TYPICAL_LIST;
  const length = typeof complexity === 'function' ? 1 : complexity.multiplier;
  return length === 1 ? null : length;
}

function counted(
  list: unknown,
  expected: number | null,
  operation: Operation,
  info: GraphQLResolveInfo,
): unknown {
  if (isDropped(operation, info)) return never();
  if (!Array.isArray(list) || list.length <= SHORT || isLeafType(getNamedType(info.returnType))) return list;
  const objects: readonly unknown[] = list;
  const cost = costOfEach(info);
  if (expected !== null && list.length > expected) operation.charge((list.length - expected) * cost);
  return inTurn(operation, info).then(() =>
    objects.length * cost <= COST_OF_WHOLE
      ? objects
      : inParts(objects, Math.max(SMALLEST_PART, Math.floor(COST_OF_PART / cost)), operation, info),
  );
}

/** Ends in a turn of the operation: so several long lists are counted before the objects of the first are made. */
async function inTurn(operation: Operation, info: GraphQLResolveInfo): Promise<void> {
  try {
    await operation.pauseForRoom();
  } catch (error) {
    if (isDropped(operation, info)) await never();
    throw error;
  }
}

/**
 * The objects of all parts but the first come as promises. (An async iterable would come in parts by itself, but while the
 * executor waits for its next object it does not handle the failures of those that it has.)
 */
function inParts(
  list: readonly unknown[],
  largestPart: number,
  operation: Operation,
  info: GraphQLResolveInfo,
): unknown[] {
  const objects: unknown[] = list.slice(0, SMALLEST_PART);
  let turn = Promise.resolve();
  for (let part = SMALLEST_PART; objects.length < list.length; part = Math.min(2 * part, largestPart)) {
    turn = turn.then(() => inTurn(operation, info));
    for (const object of list.slice(objects.length, objects.length + part))
      objects.push(turn.then(() => object));
  }
  return objects;
}

/**
 * Whether the answer has been given already: a query is answered when it is aborted, and whatever fails for good is answered without
 * what is beside it. To fail what is still under way part by part would take longer than to make it, so that is left waiting
 * for ever instead, and nothing holds it any more.
 */
function isDropped({ signal, hasEnded }: Operation, { operation }: GraphQLResolveInfo): boolean {
  return hasEnded || (signal.aborted && operation.operation === OperationTypeNode.QUERY);
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** What each object that a field gives costs, with all that is selected of it. */
export function costOfEach({
  schema,
  fragments,
  variableValues,
  returnType,
  fieldNodes,
}: GraphQLResolveInfo): number {
  const price = new OperationCost({ schema, fragments, variables: variableValues });
  return 1 + price.ofEach(getNamedType(returnType), fieldNodes);
}

SchemaBuilder.registerPlugin(NAME, LongListsPlugin);

export default NAME;
