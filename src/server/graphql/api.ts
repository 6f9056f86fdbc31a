import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type YogaServerInstance } from 'graphql-yoga';
import type { Process } from '../process.js';
import type { Context } from '../../api/context.js';
import { buildSchema } from '../../api/schema.js';
import { useDocuments } from './documents.js';
import { useContext } from './operationContext.js';
import { guardExecution } from './executionGuard.js';
import { ErrorReport } from './errorReport.js';
import { useEventStream } from './eventStream.js';
import { usePreSerializedCandidates } from '../../api/candidates/textPlugin.js';
import { useValueLimits } from './limits.js';
import { useNullVariables } from './nullVariables.js';
import { useOperations } from './operations.js';
import { persistedQueries } from './persistedQueries.js';
import { useReceivedBody, type Received } from './receivedBody.js';
import { useTrustedDocuments } from './trustedDocuments/plugin.js';
import type { TrustedDocuments } from './trustedDocuments/trustedDocuments.js';

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
