import type { Operation } from '../runtime/operation.js';
import type { Database } from './database.js';
import { onConnection } from './onConnection.js';
import { textOf, type Reader } from './statements.js';

/**
 * Reads on behalf of an operation: each read waits for one of the connections that operations may take, and ends with the
 * operation. What the server still does for it then is stopped as well.
 */
export function operationReader(
  database: Pick<Database, 'pool' | 'identify' | 'kill'>,
  operation: Operation,
): Reader {
  return {
    query: <T>(...statement: Parameters<Reader['query']>) =>
      operation.activity.statement(textOf(statement[0]), () =>
        operation.withConnection(() =>
          onConnection(database, (connection) => connection.query<T>(...statement), operation),
        ),
      ),
  };
}
