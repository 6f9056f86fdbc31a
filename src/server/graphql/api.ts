import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Process } from '../process.js';
import type { Context } from '../../api/context.js';
import { buildSchema } from '../../api/schema.js';
import { useDocumentCache } from './documentCache.js';
import { guardExecution } from './executionGuard.js';
import { ErrorReport } from './errorReport.js';
import { useEventStream } from './eventStream.js';
import { fragmentComparisons } from './fragmentComparisons.js';
import { usePreSerializedCandidates } from '../../api/candidates/textPlugin.js';
import { useDocumentLimits } from './limits.js';
import { useNullVariables } from './nullVariables.js';
import { useOperations } from './operations.js';
import { createContext } from './requestContext.js';
import { persistedQueries } from './persistedQueries.js';
import { useReceivedBody, type Received } from './receivedBody.js';
import { useTrustedDocuments } from './trustedDocuments/plugin.js';
import type { TrustedDocuments } from './trustedDocuments/trustedDocuments.js';
import { valuePaths } from './valuePaths.js';

/** Rejects documents that introspect the schema. */
const noIntrospection: Plugin = {
  onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule),
};

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
    context(received): Context {
      received.record?.validated();
      return createContext(process, received);
    },
    plugins: [
      useReceivedBody(),
      ...(trustedDocuments ? [useTrustedDocuments(trustedDocuments)] : []),
      persistedQueries,
      useDocumentLimits(),
      useNullVariables(),
      fragmentComparisons,
      valuePaths,
      ...(hasIntrospection ? [] : [noIntrospection]),
      candidates,
      useOperations(candidates),
      useEventStream(streams),
      useDocumentCache(),
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
