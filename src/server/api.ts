import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { readableDatabase } from '../database/operationReader.js';
import type { ConsumerFiguresSource } from '../domain/listing/consumerFigures.js';
import type { ClaimWriter } from '../ledger/allocation/claimQueue.js';
import type { Process } from '../process/process.js';
import type { Context } from '../schema/context.js';
import type { Operation } from '../runtime/operation.js';
import { Loaders } from '../reads/loaders.js';
import { buildSchema } from '../schema/schema.js';
import { useDocumentCache } from './documentCache.js';
import { guardExecution } from './executionGuard.js';
import { ErrorReport } from './errorReport.js';
import { useEventStream } from './eventStream.js';
import { usePreSerializedCandidates } from '../fastCandidates/plugin.js';
import { useDocumentLimits } from './limits.js';
import { useOperations } from './operations.js';
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

/** Adds the time of the freshness check to the activity of the operation that waits for it. */
function measured(consumers: ConsumerFiguresSource, { activity }: Operation): ConsumerFiguresSource {
  return {
    current: () => activity.inDatabase('freshness check', () => consumers.current()),
    reread: (ids) => consumers.reread(ids),
  };
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
  const { database, log, reads, snapshots, watch, consumerWatch, totalsWatch } = process;
  return createYoga<Received, Context>({
    schema,
    context({ record, operation, viewer = null, requestId = null }): Context {
      record?.validated();
      const readable = readableDatabase(database, operation);
      const ledger = { ...process.ledger, operation };
      const claims: ClaimWriter = { write: (claim) => process.claims.write(claim, operation) };
      const loaders = new Loaders(readable, reads, operation);
      return {
        operation,
        viewer,
        requestId,
        log,
        database: readable,
        databaseId: () => process.databaseId(),
        ledger,
        claims,
        reads,
        snapshots,
        consumers: measured(process.consumers, operation),
        watch,
        consumerWatch,
        totalsWatch,
        loaders,
      };
    },
    plugins: [
      useReceivedBody(),
      ...(trustedDocuments ? [useTrustedDocuments(trustedDocuments)] : []),
      useDocumentLimits(),
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
