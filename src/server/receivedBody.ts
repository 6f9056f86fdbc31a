import { getOperationAST, OperationTypeNode, type DocumentNode } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Viewer } from '../authentication/viewer.js';
import { requestError } from './errorCodes.js';
import type { Identified } from './errorReport.js';

/** What the server has read of a request before GraphQL gets it. */
export interface Received extends Identified {
  /** The body of a POST request. */
  readonly body?: string;
  /** Who sends it; null or absent where nobody is asked. */
  readonly viewer?: Viewer | null;
}

/** The longest body of a query or a subscription, in bytes: only what is written may be longer. */
const LONGEST_QUERY = 1_048_576;

/** Takes requests from bodies that the server has read: faster by far than Yoga's streams, and bounded as they are read. */
export function useReceivedBody(): Plugin<object, Received> {
  return {
    onRequestParse({ request, serverContext: { body }, setRequestParser }) {
      if (body !== undefined && request.method === 'POST') setRequestParser(() => parsed(body));
    },
    onValidate({ params, context }) {
      const {
        body = '',
        params: { operationName },
      } = context as Received & { readonly params: GraphQLParams };
      if (Buffer.byteLength(body) <= LONGEST_QUERY) return;
      if (
        getOperationAST(params.documentAST as DocumentNode, operationName)?.operation ===
        OperationTypeNode.MUTATION
      )
        return;
      const message = `The body of a query has at most ${LONGEST_QUERY} bytes.`;
      throw requestError('REQUEST_ENTITY_TOO_LARGE', message, { status: 413 });
    },
  };
}

function parsed(body: string): GraphQLParams {
  try {
    const params: unknown = JSON.parse(body);
    if (typeof params === 'object' && params !== null) return params;
  } catch {
    // as good as no object
  }
  throw requestError('BAD_REQUEST', 'The body of the request is not a JSON object.');
}
