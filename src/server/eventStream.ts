import type { Plugin } from 'graphql-yoga';
import { requestError } from './errorCodes.js';

/** Gives subscriptions to clients that accept server-sent events, and an error to others, which would else get nothing. */
export function useEventStream(): Plugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { request } = args.contextValue as { request?: Request };
      if (/text\/event-stream/i.test(request?.headers.get('accept') ?? '')) return;
      const message =
        'A subscription is a stream of server-sent events: send it to the server with `accept: text/event-stream`.';
      setResultAndStopExecution({ errors: [requestError('NOT_ACCEPTABLE', message, { status: 406 })] });
    },
  };
}
