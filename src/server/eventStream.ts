import { GraphQLError, type ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Operation } from '../runtime/operation.js';
import type { Context } from '../schema/context.js';
import { requestError } from './errorCodes.js';
import { EVENT_STREAM } from './http/mediaType.js';

/** The maximum number of streams of one process: each event costs processor time for each of them. */
export const MAX_STREAMS = 500;

/** When a refused client should retry, in seconds. */
const RETRY_AFTER = 10;

/** Serves subscriptions to clients that accept server-sent events. Other clients get an error. */
export function useEventStream(): Plugin {
  let streams = 0;
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { request, operation } = args.contextValue as unknown as Context & { readonly request?: Request };
      const refusal = refusalOf(request, streams);
      if (refusal) return setResultAndStopExecution({ errors: [refusal] });
      streams++;
      // it may have ended while it waited for its turn
      const end = (): void => void streams--;
      if (operation.signal.aborted) end();
      else operation.signal.addEventListener('abort', end, { once: true });
      return {
        onSubscribeResult({ result, setResult }) {
          if (!isAsyncIterable(result)) return operation.end();
          setResult(withReason(result as AsyncIterable<ExecutionResult>, operation));
          return { onNext: () => operation.endEvent(), onEnd: () => operation.end() };
        },
        onSubscribeError: () => operation.end(),
      };
    },
  };
}

function refusalOf(request: Request | undefined, streams: number): GraphQLError | null {
  if (!request?.headers.get('accept')?.includes(EVENT_STREAM)) {
    const message =
      'A subscription is a stream of server-sent events: send it to the server with `accept: text/event-stream`.';
    return requestError('NOT_ACCEPTABLE', message, { status: 406 });
  }
  if (streams < MAX_STREAMS) return null;
  return requestError('OVERLOADED', `The server already has ${MAX_STREAMS} event streams.`, {
    status: 503,
    headers: { 'retry-after': String(RETRY_AFTER) },
    extensions: { retryAfter: RETRY_AFTER },
  });
}

/** Ends the events of an aborted operation with the reason, if that is an error for the client. */
export async function* withReason(
  events: AsyncIterable<ExecutionResult>,
  { signal }: Operation,
): AsyncGenerator<ExecutionResult> {
  yield* events;
  if (signal.reason instanceof GraphQLError) yield { errors: [signal.reason] };
}
