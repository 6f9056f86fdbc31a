import type { IncomingMessage } from 'node:http';
import { getOperationAST, OperationTypeNode, type DocumentNode } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Viewer } from '../../model/viewer.js';
import { scopesOf } from '../../api/access/rules.js';
import type { Operation } from '../../model/operation/operation.js';
import { requestError } from './errorCodes.js';
import type { Identified } from './errorReport.js';
import { checkValues } from './limits.js';

/** The parts of a request that the server read before GraphQL runs. */
export interface Received extends Identified {
  /** The body of a POST request. */
  readonly body?: string;
  /** The sender. Null or omitted if authentication is disabled. */
  readonly viewer?: Viewer | null;
  /** The caller begins and ends it. */
  readonly operation: Operation;
}

/** The maximum body of a query or a subscription (bytes). */
const MAX_QUERY = 1_048_576;

/** Returns the maximum body of a viewer (bytes). Only writers may exceed the maximum of a query. */
export function maxBodyOf(viewer: Viewer | null, longestBody: number): number {
  return scopesOf(viewer).writer ? longestBody : Math.min(longestBody, MAX_QUERY);
}

/**
 * Reads the body of a request. Rejects with `tooLong` as soon as it exceeds `max` bytes. Above
 * MAX_QUERY it reads one chunk per turn of the event loop: otherwise a few long bodies delay all
 * other requests.
 */
export function readBody(request: IncomingMessage, max: number, tooLong: Error): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    if (Number(request.headers['content-length']) > max) return reject(tooLong);
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= max) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLong);
      }
      if (length <= MAX_QUERY) return;
      request.pause();
      setImmediate(() => request.resume());
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('error', (error) => reject(Object.assign(error, { statusCode: 400 })));
  });
}

/** Parses bodies that the server has read and limited. This is much faster than Yoga's streams. */
export function useReceivedBody(): Plugin<object, Received> {
  return {
    onRequestParse({ request, serverContext: { body }, setRequestParser }) {
      if (body !== undefined && request.method === 'POST') setRequestParser(() => parsed(body));
    },
    onValidate({ params, context }) {
      const { body = '', params: given } = context as unknown as Received & {
        readonly params: GraphQLParams;
      };
      if (Buffer.byteLength(body) <= MAX_QUERY) return;
      const operation = getOperationAST(params.documentAST as DocumentNode, given.operationName);
      if (operation?.operation === OperationTypeNode.MUTATION) return;
      const message = `The body of a query has at most ${MAX_QUERY} bytes.`;
      throw requestError('REQUEST_ENTITY_TOO_LARGE', message, { status: 413 });
    },
  };
}

function parsed(body: string): GraphQLParams {
  checkValues(body);
  try {
    const params: unknown = JSON.parse(body);
    if (typeof params === 'object' && params !== null) return params;
  } catch {
    // same error as for JSON that is no object
  }
  throw requestError('BAD_REQUEST', 'The body of the request is not a JSON object.');
}
