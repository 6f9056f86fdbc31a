import { createYoga } from 'graphql-yoga';
import type { Process } from '../process/process.js';
import type { Context } from '../schema/context.js';
import { createLoaders } from '../reads/loaders.js';
import { buildSchema } from '../schema/schema.js';
import { useJsonOnly } from './contentType.js';
import { useCost } from './cost.js';
import { DocumentCache, NO_ERROR_CACHE } from './documentCache.js';
import { errorMask } from './errorCodes.js';
import { useEventStream } from './eventStream.js';
import { GRAPHIQL, renderGraphiql } from './graphiql.js';
import { usePreSerializedCandidates } from '../fastCandidates/plugin.js';
import { useDocumentLimits } from './limits.js';

export interface ApiOptions {
  /** The longest body of a request, in bytes; false: of any length. */
  readonly longestBody: number | false;
}

/** GraphQL at /graphql as a function of requests, for the server and direct access alike: the same schema, limits and codes. */
export function createApi(process: Process, { longestBody }: ApiOptions) {
  const schema = buildSchema();
  return createYoga({
    schema,
    context: ({ request }): Context => ({
      ...process,
      signal: request.signal,
      loaders: createLoaders(process.database, process.reads),
    }),
    plugins: [
      useJsonOnly(),
      useDocumentLimits(),
      usePreSerializedCandidates(schema),
      useCost(),
      useEventStream(),
    ],
    maskedErrors: { maskError: errorMask(process.report) },
    maxRequestBodySize: longestBody,
    parserAndValidationCache: { documentCache: new DocumentCache(), errorCache: NO_ERROR_CACHE },
    graphiql: GRAPHIQL,
    renderGraphiQL: renderGraphiql,
    landingPage: false,
    multipart: false,
    cors: false,
    logging: false,
  });
}
