import { GraphQLError, type ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Operation } from '../../model/operation/operation.js';
import type { Context } from '../../api/context.js';
import { resetLoaders } from '../../api/mutation.js';
import { FairShares, type Place } from '../../model/operation/admission.js';
import { Overloaded, type Throttled } from '../../model/operation/waiting.js';
import { refusalError, requestError } from './errorCodes.js';
import { EVENT_STREAM } from '../http/headers.js';
import { requestBytes } from './requestBytes.js';

/** The maximum number of streams of a process: each event uses processor time for each stream. */
export const MAX_STREAMS = 500;

/** The delay after which a rejected client should retry (seconds). */
const RETRY_AFTER = 10;

/** Serves subscriptions to clients that accept server-sent events. Other clients get an error. */
export function useEventStream(size = MAX_STREAMS): Plugin {
  const streams = new FairShares<Place>({
    size,
    message: `The server already has ${size} event streams.`,
    retryAfter: RETRY_AFTER,
  });
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const context = args.contextValue as unknown as Context & { readonly request?: Request };
      const { request, operation } = context;
      if (!acceptsEvents(request)) return setResultAndStopExecution({ errors: [NOT_EVENTS] });
      const refusal = takePlace(streams, operation, requestBytes(args));
      if (refusal) return setResultAndStopExecution({ errors: [refusalError(refusal)] });
      return {
        onSubscribeResult({ result, setResult }) {
          if (!isAsyncIterable(result)) return operation.end();
          setResult(withReason(result as AsyncIterable<ExecutionResult>, operation));
          const endEvent = (): void => {
            operation.endEvent();
            resetLoaders(context); // an idle stream would hold what the event has read
          };
          return { onNext: endEvent, onEnd: () => operation.end() };
        },
        onSubscribeError: () => operation.end(),
      };
    },
  };
}

/** Takes a place and memory for a stream until its operation ends. Returns null, or the reason why there is none. */
function takePlace(streams: FairShares<Place>, operation: Operation, bytes: number): Overloaded | null {
  const place = { client: operation.client, reclaim: (reason: Throttled) => operation.abort(reason) };
  const refusal = streams.take(place);
  if (refusal) return refusal;
  // the operation may have ended while it waited
  const end = (): void => streams.free(place);
  if (operation.signal.aborted) end();
  else operation.signal.addEventListener('abort', end, { once: true });
  try {
    operation.hold(bytes);
    return null;
  } catch (error) {
    operation.end();
    return error as Overloaded;
  }
}

function acceptsEvents(request: Request | undefined): boolean {
  return request?.headers.get('accept')?.includes(EVENT_STREAM) ?? false;
}

const NOT_EVENTS = requestError(
  'NOT_ACCEPTABLE',
  'A subscription is a stream of server-sent events: send it to the server with `accept: text/event-stream`.',
);

/** Ends the events of an aborted operation with the reason, if that is an error for the client. */
export async function* withReason(
  events: AsyncIterable<ExecutionResult>,
  { signal }: Operation,
): AsyncGenerator<ExecutionResult> {
  yield* events;
  const { reason } = signal as { reason: unknown };
  if (reason instanceof Overloaded) yield { errors: [refusalError(reason)] };
  if (reason instanceof GraphQLError) yield { errors: [reason] };
}
