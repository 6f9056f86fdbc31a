import type { ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../schema/context.js';
import { requestError } from './errorCodes.js';

/** Streams of one process: each event costs every one of them some time of the processor. */
export const MOST_STREAMS = 500;

/** When another stream may find room, in seconds. */
const RETRY_AFTER = 10;

/** Gives subscriptions to clients that accept server-sent events, and an error to others, which would else get nothing. */
export function useEventStream(): Plugin {
  let streams = 0;
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { request, operation, viewer } = args.contextValue as unknown as Context & {
        readonly request?: Request;
      };
      const refusal = refusalOf(request, streams);
      if (refusal) {
        operation.end();
        return setResultAndStopExecution({ errors: [refusal] });
      }
      let isOpen = true;
      streams++;
      const end = (): void => {
        operation.end();
        if (isOpen) streams--;
        isOpen = false;
      };
      operation.suspend(); // the stream may be as long as it likes
      operation.signal.addEventListener('abort', end, { once: true });
      // its client may have left while it waited for room
      if (operation.signal.aborted) end();
      return {
        onSubscribeResult({ result, setResult }) {
          if (!isAsyncIterable(result)) return end();
          if (viewer?.expiresAt != null)
            setResult(untilExpired(result as AsyncIterable<ExecutionResult, undefined>, viewer.expiresAt));
          // an event has a deadline, the time until the next one has none
          return { onNext: () => operation.suspend(), onEnd: end };
        },
        onSubscribeError: end,
      };
    },
  };
}

function refusalOf(request: Request | undefined, streams: number) {
  if (!/text\/event-stream/i.test(request?.headers.get('accept') ?? '')) {
    const message =
      'A subscription is a stream of server-sent events: send it to the server with `accept: text/event-stream`.';
    return requestError('NOT_ACCEPTABLE', message, { status: 406 });
  }
  if (streams < MOST_STREAMS) return null;
  return requestError('OVERLOADED', `The server has ${MOST_STREAMS} streams of events already.`, {
    status: 503,
    headers: { 'retry-after': String(RETRY_AFTER) },
    extensions: { retryAfter: RETRY_AFTER },
  });
}

/** The longest time that a timer of Node can wait (ms). */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The events of a subscription until the credentials of its viewer expire, and then one that says so. */
async function* untilExpired(
  events: AsyncIterable<ExecutionResult, undefined>,
  expiresAt: number,
): AsyncGenerator<ExecutionResult> {
  const iterator = events[Symbol.asyncIterator]();
  const expiry = expiryAt(expiresAt);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), expiry.reached]);
      if (next === null) {
        yield { errors: [EXPIRED] };
        return;
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    expiry.cancel();
    void iterator.return?.();
  }
}

const EXPIRED = requestError(
  'UNAUTHENTICATED',
  'The credentials have expired: subscribe again with new ones.',
);

/** A promise of null for a time, however far away. */
function expiryAt(time: number): { readonly reached: Promise<null>; cancel(): void } {
  let timer: NodeJS.Timeout;
  const reached = new Promise<null>((resolve) => {
    const wait = (): void => {
      const left = time - Date.now();
      if (left <= 0) resolve(null);
      else timer = setTimeout(wait, Math.min(left, LONGEST_TIMER)).unref();
    };
    wait();
  });
  return { reached, cancel: () => clearTimeout(timer) };
}
