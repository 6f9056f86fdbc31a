import { openDatabase } from '../../store/database/database.js';
import { databaseAddresses } from '../../store/database/address.js';
import { requireDatabase } from '../../store/migrations/ensure.js';
import { createProcess } from '../process.js';
import { createApi } from '../graphql/api.js';

export * from './plan.js';

export interface PlacementOptions {
  /** `mysql://user:password@host:3306/name`, or with several hosts, as for the server. */
  readonly databaseUrl: string;
  /** The maximum number of connections to the database. Defaults to 10. */
  readonly connections?: number;
  /** The maximum duration of an operation (s), up to 3600. Defaults to 30, as `operations.seconds` of the server. */
  readonly seconds?: number;
  /** Called with each unexpected error, whose details the result omits. Defaults to standard error. */
  readonly log?: (error: unknown) => void;
}

export interface PlacementRequest {
  /** The text of a GraphQL document: a query or a mutation. Subscriptions need the server. */
  readonly document: string;
  readonly variables?: object | null;
  /** The operation to run if the document has several. */
  readonly operationName?: string | null;
}

/** The response as plain JSON. */
export interface PlacementResult<Data = Record<string, unknown>> {
  /** Null or absent when the request failed as a whole. */
  readonly data?: Data | null;
  readonly errors?: readonly PlacementError[];
  readonly extensions?: Record<string, unknown>;
}

export interface PlacementError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: { readonly code: string } & Record<string, unknown>;
}

/** Access to a placement database without a server. */
export interface Placement {
  /**
   * Runs a GraphQL document in this process, with the schema, validation, limits and error codes of the HTTP server.
   * Requests may have any length.
   *
   * @throws Error with a one-line message when the database cannot be reached, or has not been migrated to this version
   */
  execute<Data = Record<string, unknown>>(request: PlacementRequest): Promise<PlacementResult<Data>>;
  /** Waits for the statements that run, then closes every connection. May be called twice. */
  close(): Promise<void>;
}

/** No request is sent to this URL: the API only matches the path. */
const ENDPOINT = 'http://localhost/graphql';

/**
 * Opens direct access to a placement database (the reshape spec): for scripts that run while every
 * server is down, or beside them. Returns at once; the first `execute` connects. Does not migrate
 * the database.
 *
 * @throws Error if `databaseUrl` is not a database URL, or `seconds` is out of range
 */
export function createPlacement(options: PlacementOptions): Placement {
  const { databaseUrl, connections, seconds, log } = options;
  databaseAddresses(databaseUrl);
  if (seconds !== undefined && !(seconds > 0 && seconds <= 3_600)) {
    throw new Error(`seconds must be above 0 and at most 3600, not ${seconds}`);
  }
  const database = openDatabase(databaseUrl, { connections });
  const limits = { values: Infinity, ...(seconds !== undefined && { deadline: 1_000 * seconds }) };
  const process = createProcess(database, { report: log, limits });
  const api = createApi(process);
  let isReady = false;
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => {
    process.stop();
    return database.close();
  };
  return {
    async execute<Data>({ document, variables, operationName }: PlacementRequest) {
      if (closing) throw new Error('this access to the placement database has been closed');
      if (!isReady) await requireDatabase(databaseUrl);
      isReady = true;
      const operation = process.operations.begin();
      try {
        const body = JSON.stringify({ query: document, variables, operationName });
        const headers = { 'content-type': 'application/json', accept: 'application/json' };
        const response = await api.fetch(ENDPOINT, { method: 'POST', headers, body }, { operation });
        return (await response.json()) as PlacementResult<Data>;
      } finally {
        operation.end();
      }
    },
    close: () => (closing ??= end()),
  };
}
