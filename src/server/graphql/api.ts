import { type Plugin, createYoga, type YogaServerInstance } from 'graphql-yoga';
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
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { sendNodeResponse } from '@whatwg-node/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../api/context.js';
import {
  completeContext,
  beginOperation,
  clientOf,
  isClosed,
  type HttpLimits,
  UnsentAnswers,
} from '../http/httpServer.js';
import type { Process } from '../process.js';
import { type Received, ErrorReport, useValueLimits, persistedQueries, useReceivedBody } from './limits.js';
import type { Operation } from '../../model/operation/operation.js';
import { buildSchema } from '../../api/schema.js';
import { useDocuments } from './documents.js';
import { useEventStream } from './eventStream.js';
import { fieldsOfReading, lengthOfJson } from '../../api/storedJson.js';
import { usePreSerializedCandidates } from '../../api/candidates/candidates.js';
import { useNullVariables } from './values.js';
import { useOperations } from './operations.js';
import { useTrustedDocuments } from './trustedDocuments/plugin.js';
import type { TrustedDocuments } from './trustedDocuments/trustedDocuments.js';
import { serverTiming } from '../telemetry/telemetry.js';
import { contentCoding, sendCompressed, acceptedTypes, EVENT_STREAM, JSON_TYPE } from '../http/headers.js';
import type { EventStreams } from '../http/eventStreams.js';
import { sendError, type HttpError } from '../http/httpError.js';

/** Adds the context of resolvers to that of the request: Yoga's option `context` would use `Object.assign`. */
function useContext(process: Process): Plugin<Context, Received> {
  return {
    onContextBuilding({ context }) {
      (context as unknown as Partial<Received>).record?.validated();
      completeContext(context, process);
    },
  };
}

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
  const isJson = getNamedType(field.type).name === 'JSON';
  const completeLeaf = isJson ? completeJson : completeScalars;
  const complete = isLeaf ? completeLeaf : objectsCompletion(field, isList);
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
  return value.length < LONG_LIST ? value : inSliceOf(value, operation, info);
}

/** Counts a JSON value or a list of them, and the time that reading and writing it takes. */
function completeJson(value: unknown, operation: Operation, info: GraphQLResolveInfo): unknown {
  operation.fieldCount += fieldsOfReading(textLength(value));
  return completeScalars(value, operation, info);
}

function keyLength({ path }: GraphQLResolveInfo): number {
  return (path.key as string).length;
}

/** The approximate length of a number, boolean or date in an answer (characters). */
const SHORT_TEXT = 8;

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return lengthOfJson(value) || SHORT_TEXT;
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
  const inSlice = (part: unknown): unknown => inSliceOf(part, operation, info);
  if (objects < LONG_LIST) return inSlice(value);
  const items = value as readonly unknown[];
  return objects < MANY_OBJECTS ? inSlices(items, inSlice) : oneByOne(items, inSlice);
}

/** Passes a value to the executor when its operation may continue. */
function inSliceOf(value: unknown, operation: Operation, info: GraphQLResolveInfo): unknown {
  return operation.inSlice(value, (error) => failed(error, operation, info));
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

export interface ApiOptions {
  /** The maximum number of event streams. */
  readonly streams?: number;
  /** Whether clients may introspect the schema. Defaults to true. */
  readonly hasIntrospection?: boolean;
  /** The documents that clients may send. Defaults to any. */
  readonly trustedDocuments?: { readonly current: TrustedDocuments };
}

/** Returns GraphQL at /graphql as a function of requests, for the server and for direct access. */
export function createApi(
  process: Process,
  { hasIntrospection = true, trustedDocuments, streams }: ApiOptions = {},
): YogaServerInstance<Received, Context> {
  const schema = buildSchema();
  guardExecution(schema);
  const candidates = usePreSerializedCandidates(schema);
  const errors = new ErrorReport(process.report);
  return createYoga<Received, Context>({
    schema,
    plugins: [
      useContext(process),
      useReceivedBody(),
      ...(trustedDocuments ? [useTrustedDocuments(trustedDocuments)] : []),
      persistedQueries,
      useValueLimits(),
      useNullVariables(),
      candidates,
      useOperations(candidates),
      useEventStream(streams),
      useDocuments(schema, hasIntrospection ? [] : [NoSchemaIntrospectionCustomRule]),
      errors.plugin,
    ],
    maskedErrors: { maskError: errors.maskError },
    // `readBody` limits the bodies of HTTP requests; direct access has no limit
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    // disables Yoga's health check, which always succeeds, at every path with this ending
    healthCheckEndpoint: ' ',
    graphiql: false,
    landingPage: false,
    multipart: false,
    cors: false,
    logging: false,
  });
}

const NOT_ACCEPTABLE: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message:
    'Accept application/graphql-response+json or application/json, for a subscription text/event-stream.',
};

const UNREAD: HttpError = {
  status: 503,
  code: 'OVERLOADED',
  message: 'Too much of earlier answers has not been read yet.',
  retryAfter: 1,
};

/** The header that requests the durations of the phases of a request. */
const TIMING_WANTED = 'x-server-timing';

export interface HandlerOptions extends ApiOptions {
  /** Whether long answers are compressed for clients that accept it. Defaults to true. */
  readonly hasCompression?: boolean;
}

/** Answers requests whose body was read. Each operation ends when its response closes. */
export function graphqlHandler(
  process: Process,
  limits: HttpLimits,
  streams: EventStreams,
  { hasCompression = true, ...options }: HandlerOptions,
) {
  const api = createApi(process, options);
  const unsent = new UnsentAnswers(limits);
  return async (request: FastifyRequest, { raw: response }: FastifyReply): Promise<void> => {
    const { raw, method, body, viewer } = request;
    const { socket } = raw;
    if (isClosed(response)) return;
    const accept = acceptedTypes(raw);
    if (accept === null) return sendError(response, NOT_ACCEPTABLE);
    const client = clientOf(request);
    if (unsent.isFull(client.id)) return sendError(response, UNREAD);
    // Yoga recognizes the media type of the body in this form only
    const headers = { ...raw.headers, accept, ...(method === 'POST' && { 'content-type': JSON_TYPE }) };
    const requestId = String(response.getHeader('x-request-id'));
    const { operation, record } = beginOperation(process, request, response, requestId, client);
    await process.operations.arrivals.turn(client, socket);
    if (isClosed(response)) return;
    const received = { requestId, body: typeof body === 'string' ? body : '', viewer, record, operation };
    const answer = await api.handleNodeRequestAndResponse({ raw, method, headers }, response, received);
    record?.answer(answer.status);
    if (isClosed(response)) return; // the body of the answer has not been started
    if (record && TIMING_WANTED in headers) response.setHeader('server-timing', serverTiming(record));
    if (answer.headers.get('content-type') === EVENT_STREAM) {
      streams.add(response, { operation, viewer, headers: raw.headers });
      // disables buffering in nginx and other proxies
      response.setHeader('x-accel-buffering', 'no');
    }
    const coding = hasCompression ? contentCoding(raw, answer) : null;
    const count = (bytes: number): void => unsent.add(response, client.id, bytes);
    if (coding) return sendCompressed(answer, response, coding, count);
    count(Number(answer.headers.get('content-length')));
    const sent = sendNodeResponse(answer, response, raw, true);
    socket.setTimeout(limits.unreadTimeout); // Yoga disables the timeout for streams
    await sent;
  };
}
