import { GraphQLError, type ExecutionResult } from 'graphql';
import { isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { Report } from '../../model/operation/report.js';
import type { OperationRecord } from '../telemetry/operationRecord.js';
import { errorMask, type ServerErrorCode } from './errorCodes.js';

/** Errors that get the request id, by which an operator finds them in the log. */
const WITH_REQUEST_ID: ReadonlySet<ServerErrorCode> = new Set([
  'INTERNAL_SERVER_ERROR',
  'DATABASE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'OVERLOADED',
  'THROTTLED',
]);

/** The values that the server attaches to a request before GraphQL runs. */
export interface Identified {
  readonly requestId?: string;
  readonly record?: OperationRecord;
}

/** Masks errors. Reports unexpected ones once their request is known. */
export class ErrorReport {
  private readonly unexpected = new WeakMap<
    GraphQLError,
    { readonly cause: unknown; readonly during: string }
  >();

  constructor(private readonly report: Report) {}

  readonly maskError = errorMask((error, cause, during) => this.unexpected.set(error, { cause, during }));

  readonly plugin: Plugin<object, Identified> = {
    onResultProcess: (payload) => {
      const { result, serverContext } = payload;
      const identified = (one: ExecutionResult): ExecutionResult => this.identified(one, serverContext);
      if (Array.isArray(result)) return;
      if (isAsyncIterable<ExecutionResult>(result)) payload.setResult(mapAsyncIterator(result, identified));
      else payload.setResult(identified(result as ExecutionResult));
    },
  };

  private identified(result: ExecutionResult, { requestId, record }: Identified): ExecutionResult {
    if (!result.errors) return result;
    record?.activity.codes.push(...result.errors.map(({ extensions }) => String(extensions.code)));
    return { ...result, errors: result.errors.map((error) => this.identifiedError(error, requestId)) };
  }

  private identifiedError(error: GraphQLError, requestId: string | undefined): GraphQLError {
    const unexpected = this.unexpected.get(error);
    if (unexpected) {
      const { cause, during } = unexpected;
      this.report(cause, requestId === undefined ? during : `${during} (request ${requestId})`);
    }
    if (requestId === undefined || !WITH_REQUEST_ID.has(error.extensions.code as ServerErrorCode))
      return error;
    const { message, nodes, source, positions, path, originalError } = error;
    const extensions = { ...error.extensions, requestId };
    return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
  }
}
